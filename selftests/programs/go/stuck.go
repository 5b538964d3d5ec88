// SPDX-License-Identifier: GPL-2.0-only
//
// A goroutine waits for a channel that nobody sends to: the runtime notices, prints "all
// goroutines are asleep - deadlock!" and exits with 2.
package main

import "sync"

func main() {
	var group sync.WaitGroup
	channel := make(chan int)

	group.Add(1)
	go func() {
		<-channel
		group.Done()
	}()
	group.Wait()
}
