// SPDX-License-Identifier: GPL-2.0-only
// Timers, files through the thread pool, two worker threads, a TCP server and a child.
'use strict';
const fs = require('fs');
const net = require('net');
const { execFile } = require('child_process');
const { Worker, isMainThread, parentPort, workerData } = require('worker_threads');

if (!isMainThread) {
	parentPort.on('message', (n) => {
		if (n === null)
			parentPort.close();
		else
			parentPort.postMessage(n * workerData);
	});
} else {
	const lines = [];
	const work = (factor) => new Promise((done) => {
		const worker = new Worker(__filename, { workerData: factor });
		const got = [];
		worker.on('message', (n) => got.push(n));
		worker.on('exit', (code) => done(`worker ${factor}: ${got} code ${code}`));
		for (let n = 0; n < 5; n++)
			worker.postMessage(n);
		worker.postMessage(null);
	});
	const talk = () => new Promise((done) => {
		const server = net.createServer((socket) => socket.pipe(socket));
		server.listen(0, '127.0.0.1', () => {
			let text = '';
			const socket = net.connect(server.address().port, '127.0.0.1', () => socket.end('ping'));
			socket.on('data', (data) => text += data);
			socket.on('close', () => server.close(() => done(`echo: ${text}`)));
		});
	});
	const read = () => Promise.all([1, 2, 3, 4].map(() => fs.promises.readFile(__filename)))
		.then((files) => `files: ${files.map((f) => f.length === files[0].length)}`);
	const child = () => new Promise((done) =>
		execFile('/bin/echo', ['from a child'], (error, out) => done(`child: ${out.trim()}`)));
	const sleep = () => new Promise((done) => setTimeout(() => done('slept'), 1000));
	Promise.all([work(2), work(3), talk(), read(), child(), sleep()])
		.then((all) => console.log(all.join('\n')));
}
