# SPDX-License-Identifier: GPL-2.0-only
"""An event loop with a server, clients, timers, a thread pool and a subprocess."""
import asyncio
import sys


async def serve(reader, writer):
    while line := await reader.readline():
        await asyncio.sleep(0.01)
        writer.write(line.upper())
        await writer.drain()
    writer.close()


async def client(name, port):
    reader, writer = await asyncio.open_connection('127.0.0.1', port)
    answers = []
    for n in range(3):
        writer.write(f'{name} {n}\n'.encode())
        answers.append((await reader.readline()).decode().strip())
    writer.close()
    await writer.wait_closed()
    return answers


async def main():
    server = await asyncio.start_server(serve, '127.0.0.1', 0)
    port = server.sockets[0].getsockname()[1]
    for answers in await asyncio.gather(*(client(f'client{n}', port) for n in range(3))):
        print(answers)
    server.close()
    await server.wait_closed()
    loop = asyncio.get_running_loop()
    print(await asyncio.gather(*(loop.run_in_executor(None, sum, range(n)) for n in range(5))))
    process = await asyncio.create_subprocess_exec(
        '/usr/bin/tr', 'a-z', 'b-za', stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE)
    out, _ = await process.communicate(b'hal\n')
    print(out, process.returncode)
    try:
        await asyncio.wait_for(asyncio.sleep(3600), 1)
    except asyncio.TimeoutError:
        print('an hour is longer than a second')

asyncio.run(main())
sys.exit(3)
