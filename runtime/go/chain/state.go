package chain

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"formwork/cfn"
)

// What a chain remembers between invocations: an object in the callback context, one entry a step.
//
//	{"__chain__": {"create-stream": {"response": …, "stable": true, "attempts": 3, "started": 1700000000.0}}}
//
// response is there once the call was made, null included; stable once the resource was ready. attempts and started
// (seconds since the epoch) belong to what the step is waiting for, so that a timeout holds across processes.
const key = "__chain__"

type stepState map[string]any

// loadStates is the chain's part of the callback context, made where it is missing.
func loadStates(context cfn.CallbackContext) (map[string]any, error) {
	wrong := cfn.InternalFailure("the callback context's " + key + " was not written by a chain")
	if context[key] == nil {
		context[key] = map[string]any{}
	}
	states, is := context[key].(map[string]any)
	if !is {
		return nil, wrong
	}
	for _, entry := range states {
		if _, is := entry.(map[string]any); !is {
			return nil, wrong
		}
	}
	return states, nil
}

func (s stepState) called() bool {
	_, there := s["response"]
	return there
}

// recordResponse remembers the response; the attempts that follow are those of the stabilization.
func (s stepState) recordResponse(response json.RawMessage) {
	clear(s)
	s["response"] = response
}

func (s stepState) stable() bool { return s["stable"] == true }

func (s stepState) recordStable() { s["stable"] = true }

// leaveOnce says whether the step should end the invocation now; it does so once and then is passed.
func (s stepState) leaveOnce() bool {
	_, left := s["left"]
	s["left"] = true
	return !left
}

// countAttempt counts an attempt: its number from 1, and the time since the first.
func (s stepState) countAttempt(now time.Time) (int, time.Duration) {
	seconds := float64(now.UnixMicro()) / 1e6
	started, found := cfn.Get[float64](cfn.CallbackContext(s), "started")
	if !found {
		started = seconds
		s["started"] = started
	}
	attempts, _ := cfn.Get[int](cfn.CallbackContext(s), "attempts")
	s["attempts"] = attempts + 1
	return attempts + 1, max(0, time.Duration((seconds-started)*float64(time.Second)))
}

// expectWithin fails if the context as JSON exceeds limit bytes, naming the step that holds most.
func expectWithin(context cfn.CallbackContext, states map[string]any, limit int) error {
	size := sizeOf(context)
	if size <= limit {
		return nil
	}
	advice, most := "", 0
	for _, name := range slices.Sorted(maps.Keys(states)) {
		if held := sizeOf(states[name]); held > most {
			most = held
			advice = "; step " + name + " holds most, let its call return less"
		}
	}
	return cfn.Errorf(cfn.CodeInternalFailure, "the callback context has %d bytes, more than %d%s", size, limit, advice)
}

func sizeOf(value any) int {
	text, err := cfn.Marshal(value)
	if err != nil {
		return 0 // what can't be written is reported with the answer
	}
	return len(text)
}
