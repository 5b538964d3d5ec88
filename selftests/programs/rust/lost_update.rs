// SPDX-License-Identifier: GPL-2.0-only
//
// Two threads read a number and write it back with one more, each under the lock, but not
// both under one: an update is lost. The mutex is the standard library's, which takes it by
// one atomic instruction as long as nobody waits. Built with --cfg mended it is held for both.
use std::sync::{Arc, Mutex};
use std::thread;

#[cfg(not(mended))]
fn add(number: &Mutex<u32>) {
    let was = *number.lock().unwrap();
    *number.lock().unwrap() = was + 1;
}

#[cfg(mended)]
fn add(number: &Mutex<u32>) {
    *number.lock().unwrap() += 1;
}

fn main() {
    let number = Arc::new(Mutex::new(0));
    let theirs = Arc::clone(&number);
    let other = thread::spawn(move || add(&theirs));

    add(&number);
    other.join().unwrap();
    assert!(*number.lock().unwrap() == 2);
}
