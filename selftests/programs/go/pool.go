// SPDX-License-Identifier: GPL-2.0-only
//
// Four goroutines take numbers from a channel, add them up under a mutex, and sleep between
// two of them; the sum is printed, with how many each of them got in this schedule.
package main

import (
	"fmt"
	"sync"
	"time"
)

func main() {
	var mutex sync.Mutex
	var group sync.WaitGroup
	numbers := make(chan int)
	got := make([]int, 4)
	sum := 0

	for i := range got {
		group.Add(1)
		go func(i int) {
			defer group.Done()
			for n := range numbers {
				mutex.Lock()
				sum += n
				got[i]++
				mutex.Unlock()
				time.Sleep(time.Duration(n) * time.Microsecond)
			}
		}(i)
	}
	for n := 1; n <= 40; n++ {
		numbers <- n
	}
	close(numbers)
	group.Wait()
	fmt.Println(sum, got)
}
