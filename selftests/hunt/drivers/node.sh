#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# package: nodejs
# threads: 8
# expect: a worker adds to shared memory and wakes the main thread
exec /usr/bin/node -e '
const { Worker } = require("worker_threads");
const a = new Int32Array(new SharedArrayBuffer(4));
const code = `const { workerData: a } = require("worker_threads");
	Atomics.add(a, 0, 1); Atomics.notify(a, 0);`;
new Worker(code, { eval: true, workerData: a })
  .on("exit", () => process.exit(a[0] == 1 ? 0 : 1));'
