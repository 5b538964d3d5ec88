# SPDX-License-Identifier: GPL-2.0-only
# Three threads take numbers from a queue and add to a sum under a mutex.
todo = SizedQueue.new(2)
lock = Mutex.new
sum = 0
threads = Array.new(3) do
  Thread.new do
    while (n = todo.pop)
      lock.synchronize { sum += n * n }
    end
  end
end
(1..20).each { |n| todo << n }
threads.each { todo << nil }
threads.each(&:join)
puts "sum #{sum}"
