package chain

import (
	"iter"
	"math"
	"time"
)

// Delay is how long to wait between attempts: a pure function of the attempt's number, so that one value serves every
// request of a warm process and a cold one gives the same answer.
type Delay interface {
	// Waits are the waits after attempt first, first+1, …, while together they fit into the timeout.
	Waits(first int) iter.Seq[time.Duration]
	// Horizon is the most time that may really pass, waits and calls together.
	Horizon() time.Duration
}

// DefaultDelay is every 5 seconds for 20 minutes.
var DefaultDelay Delay = Constant(5*time.Second, 20*time.Minute)

type schedule struct {
	wait    func(attempt int) time.Duration
	timeout time.Duration
}

func (s schedule) Horizon() time.Duration { return s.timeout }

func (s schedule) Waits(first int) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		spent := time.Duration(0)
		for attempt := first; ; attempt++ {
			wait := s.wait(attempt)
			if spent += wait; spent > s.timeout || !yield(wait) {
				return
			}
		}
	}
}

// Constant is the same wait each time.
func Constant(delay, timeout time.Duration) Delay {
	delay = positive(delay)
	return schedule{func(int) time.Duration { return delay }, timeout}
}

// Exponential is power to the attempt in seconds, at least minimum: 2, 4, 8, 16, … for a power of 2.
func Exponential(power float64, minimum, timeout time.Duration) Delay {
	return schedule{func(attempt int) time.Duration { return max(minimum, powerOf(power, attempt)) }, timeout}
}

// CappedExponential is power to the attempt in seconds, between minimum and maximum.
func CappedExponential(power float64, minimum, maximum, timeout time.Duration) Delay {
	wait := func(attempt int) time.Duration { return min(maximum, max(minimum, powerOf(power, attempt))) }
	return schedule{wait, timeout}
}

// MultipleOf is delay first, then delay times (attempt - 1) times multiple: 5, 10, 20, 30, … for 5 and 2.
func MultipleOf(delay time.Duration, multiple int, timeout time.Duration) Delay {
	return schedule{multiples(delay, multiple), timeout}
}

func multiples(delay time.Duration, multiple int) func(int) time.Duration {
	delay = positive(delay)
	return func(attempt int) time.Duration {
		if attempt == 1 {
			return delay
		}
		return delay * time.Duration((attempt-1)*multiple)
	}
}

type shifted struct{ schedule }

// ShiftBy is the sums of MultipleOf's waits so far, 5, 15, 35, 65, … for 5 and 2; timeout bounds the longest.
func ShiftBy(delay time.Duration, multiple int, timeout time.Duration) Delay {
	return shifted{schedule{multiples(delay, multiple), timeout}}
}

func (s shifted) Waits(first int) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		sum := time.Duration(0)
		for attempt := first; ; attempt++ {
			if sum += s.wait(attempt); sum > s.timeout || !yield(sum) {
				return
			}
		}
	}
}

// Horizon is all of its waits together, which is more than its timeout.
func (s shifted) Horizon() time.Duration {
	all := time.Duration(0)
	for wait := range s.Waits(1) {
		all += wait
	}
	return max(s.timeout, all)
}

type blended []Delay

// Blended is one delay after the other: quick attempts first, patient ones later, the attempts counted on.
func Blended(parts ...Delay) Delay { return blended(parts) }

func (b blended) Waits(first int) iter.Seq[time.Duration] {
	return func(yield func(time.Duration) bool) {
		attempt := first
		for _, part := range b {
			for wait := range part.Waits(attempt) {
				if !yield(wait) {
					return
				}
				attempt++
			}
		}
	}
}

// Horizon is the parts' together.
func (b blended) Horizon() time.Duration {
	all := time.Duration(0)
	for _, part := range b {
		all += part.Horizon()
	}
	return all
}

// waitAfter is the wait after an attempt; false when the schedule has ended.
func waitAfter(delay Delay, attempt int) (time.Duration, bool) {
	number := 0
	for wait := range delay.Waits(1) {
		if number++; number == attempt {
			return wait, true
		}
	}
	return 0, false
}

const longest = 1e9 // seconds: beyond any timeout, and a time.Duration holds it

func powerOf(power float64, attempt int) time.Duration {
	return time.Duration(min(longest, math.Pow(power, float64(attempt))) * float64(time.Second))
}

// positive keeps a wait of nothing from looping without end.
func positive(delay time.Duration) time.Duration { return max(delay, time.Millisecond) }
