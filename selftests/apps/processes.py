# SPDX-License-Identifier: GPL-2.0-only
"""multiprocessing: a pool, a queue, a lock over shared memory, and a pipe."""
import multiprocessing as mp


def square(n):
    return n * n


def add(total, lock, times):
    for _ in range(times):
        with lock:
            total.value += 1


def produce(queue, first):
    for n in range(first, first + 5):
        queue.put(n)
    queue.put(None)


def echo(connection):
    while (item := connection.recv()) is not None:
        connection.send(item + 1)


if __name__ == '__main__':
    mp.set_start_method('fork')
    with mp.Pool(3) as pool:
        print(pool.map(square, range(20)))
    total, lock = mp.Value('i', 0, lock=False), mp.Lock()
    adders = [mp.Process(target=add, args=(total, lock, 10)) for _ in range(3)]
    for process in adders:
        process.start()
    for process in adders:
        process.join()
    print('total', total.value, [process.exitcode for process in adders])
    queue = mp.Queue()
    producers = [mp.Process(target=produce, args=(queue, n * 10)) for n in range(2)]
    for process in producers:
        process.start()
    got, ends = [], 0
    while ends < 2:
        item = queue.get()
        if item is None:
            ends += 1
        else:
            got.append(item)
    for process in producers:
        process.join()
    print(sorted(got))
    ours, theirs = mp.Pipe()
    echoer = mp.Process(target=echo, args=(theirs,))
    echoer.start()
    for n in range(3):
        ours.send(n)
        print('echo', ours.recv())
    ours.send(None)
    echoer.join()
    print('exit', echoer.exitcode)
