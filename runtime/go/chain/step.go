package chain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"formwork/cfn"
)

// Step is a step as its functions see it. Response is what its call returned, in this invocation or an earlier one; the
// zero value where the call itself failed.
type Step[M, S any] struct {
	Name     string
	Model    *M
	Context  cfn.CallbackContext
	Response S
}

// Called is a step that may say more about itself before Progress, Success or Done runs it.
type Called[M, S any] struct {
	chain   *Chain[M]
	step    *Step[M, S]
	call    func(context.Context) (S, error)
	err     error
	mutates bool // so that a checkpoint after it is worth an invocation
	delay   Delay
	stable  func(context.Context, *Step[M, S]) (bool, error)
	retried []func(error, *Step[M, S]) bool
	codes   map[string]cfn.ErrorCode
	handle  func(error, *Step[M, S]) (*cfn.Event[M], error)
}

// Call begins a step; its name identifies it across invocations and must be unique in the operation. The call is made
// once: what it returns is remembered as JSON and given to every later invocation, nil included.
func Call[S, M any](c *Chain[M], name string, call func(context.Context) (S, error)) *Called[M, S] {
	made := &Called[M, S]{
		chain: c, step: &Step[M, S]{Name: name, Model: c.Model, Context: c.Context}, call: call,
		err: c.err, mutates: true, delay: DefaultDelay, codes: map[string]cfn.ErrorCode{},
	}
	if c.err == nil && c.names[name] {
		made.err = cfn.Errorf(cfn.CodeInternalFailure,
			"two steps of the chain are named %q; what one remembers would end the other", name)
	}
	c.names[name] = true
	return made
}

// Backoff waits like this between attempts; without it DefaultDelay.
func (s *Called[M, S]) Backoff(delay Delay) *Called[M, S] {
	s.delay = delay
	return s
}

// Stabilize waits until isStable returns true; it is called again after each wait, and never again afterwards.
func (s *Called[M, S]) Stabilize(isStable func(context.Context, *Step[M, S]) (bool, error)) *Called[M, S] {
	s.stable = isStable
	return s
}

// RetryOn tries again after AWS errors with these codes, such as "ResourceInUseException".
func (s *Called[M, S]) RetryOn(codes ...string) *Called[M, S] {
	return s.RetryIf(func(err error, _ *Step[M, S]) bool { return slices.Contains(codes, cfn.ServiceCode(err)) })
}

// RetryIf tries again after errors for which this is true.
func (s *Called[M, S]) RetryIf(matches func(error, *Step[M, S]) bool) *Called[M, S] {
	s.retried = append(s.retried, matches)
	return s
}

// FailAs fails with these handler error codes after AWS errors with those codes.
func (s *Called[M, S]) FailAs(codes map[string]cfn.ErrorCode) *Called[M, S] {
	for service, code := range codes {
		s.codes[service] = code
	}
	return s
}

// HandleError decides about errors: return the event to end with, Retry to try again, or another error.
func (s *Called[M, S]) HandleError(handle func(error, *Step[M, S]) (*cfn.Event[M], error)) *Called[M, S] {
	s.handle = handle
	return s
}

// Progress runs the step and continues with the next.
func (s *Called[M, S]) Progress() *Progress[M] { return s.ProgressAfter(0) }

// ProgressAfter runs the step and continues with the next when called again after the delay.
func (s *Called[M, S]) ProgressAfter(delaySeconds int) *Progress[M] {
	return s.Done(func(_ context.Context, step *Step[M, S]) (*cfn.Event[M], error) {
		seconds := 0
		if delaySeconds > 0 && s.chain.state(step.Name).leaveOnce() {
			seconds = delaySeconds
		}
		return s.chain.Progress(seconds).Answer()
	})
}

// Success runs the step and ends the operation with SUCCESS and the model.
func (s *Called[M, S]) Success() *Progress[M] {
	return s.Done(func(context.Context, *Step[M, S]) (*cfn.Event[M], error) { return s.chain.Success().Answer() })
}

// Done runs the step until it is done, fails, or has to wait for longer than this invocation should, and finishes with
// this event; nil means not yet: wait and ask again.
func (s *Called[M, S]) Done(finish func(context.Context, *Step[M, S]) (*cfn.Event[M], error)) *Progress[M] {
	if s.err != nil {
		return From[M](nil, s.err)
	}
	if s.chain.began.IsZero() {
		s.chain.began = s.chain.Now()
	}
	for {
		progress, err := s.advance(finish)
		if err != nil {
			if event := s.judge(err); event != nil {
				progress = From(event, nil)
			}
		}
		if progress == nil {
			progress = s.chain.wait(s.step.Name, s.delay, err)
		}
		if progress != nil {
			return s.chain.checked(progress)
		}
	}
}

// advance does what is left of the step; nil when it is not yet done.
func (s *Called[M, S]) advance(
	finish func(context.Context, *Step[M, S]) (*cfn.Event[M], error),
) (*Progress[M], error) {
	state := s.chain.state(s.step.Name)
	if !state.called() {
		response, err := s.call(s.chain.ctx)
		if err != nil {
			return nil, err
		}
		text, err := s.remembered(response)
		if err != nil {
			return nil, err
		}
		state.recordResponse(text)
		if s.chain.Checkpoint && s.mutates {
			progress := s.chain.Progress(0)
			progress.leave = true
			return progress, nil
		}
	} else if err := s.recall(state["response"]); err != nil {
		return nil, err
	}
	if s.stable != nil && !state.stable() {
		stable, err := s.stable(s.chain.ctx, s.step)
		if err != nil || !stable {
			return nil, err
		}
		state.recordStable()
	}
	event, err := finish(s.chain.ctx, s.step)
	if err != nil || event == nil {
		return nil, err
	}
	return From(event, nil), nil
}

// remembered is a response as JSON; the step gets what later invocations will have of it.
func (s *Called[M, S]) remembered(response S) (json.RawMessage, error) {
	text, err := json.Marshal(response)
	if err == nil {
		err = s.recall(json.RawMessage(text))
	}
	if err != nil {
		return nil, cfn.InternalFailure(fmt.Sprintf(
			"the response of %s cannot be remembered: %s; let the call return what is needed of it", s.step.Name, err))
	}
	return text, nil
}

func (s *Called[M, S]) recall(kept any) error {
	text, err := cfn.Marshal(kept)
	if err != nil {
		return err
	}
	var response S
	if err := json.Unmarshal(text, &response); err != nil {
		return err
	}
	s.step.Response = response
	return nil
}

// judge is what an error of this step means: the event to end with, or nil to try again.
func (s *Called[M, S]) judge(err error) *cfn.Event[M] {
	for _, matches := range s.retried {
		if matches(err, s.step) {
			return nil
		}
	}
	if code, named := s.codes[cfn.ServiceCode(err)]; named && cfn.ServiceCode(err) != "" {
		return cfn.Failed[M](code, err.Error())
	}
	if s.handle == nil || errors.Is(err, Retry) || isCoded(err) {
		return defaultEvent[M](err)
	}
	event, raised := s.handle(err, s.step)
	switch {
	case raised != nil:
		return defaultEvent[M](raised)
	case event == nil:
		return cfn.Failed[M](cfn.CodeInternalFailure,
			fmt.Sprintf("HandleError of %s returned nil instead of an event, for: %s", s.step.Name, err))
	default:
		return event
	}
}

func itoa(number int) string { return strconv.Itoa(number) }
