#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: python3
# threads: 3
# expect: call_soon_threadsafe() of a thread wakes the loop
exec /usr/bin/python3 -I -c '
import asyncio
async def main():
    e = asyncio.Event()
    l = asyncio.get_running_loop()
    await asyncio.gather(e.wait(), asyncio.to_thread(l.call_soon_threadsafe, e.set))
asyncio.run(main())'
