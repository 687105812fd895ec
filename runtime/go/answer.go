package cfn

import (
	"context"
	"errors"
	"fmt"
	"log"
	"runtime/debug"
)

// prepared is a request that has been read: call invokes its handler.
type prepared[M any] struct {
	call    func(context.Context) (*Event[M], error)
	observe *observation
}

// answer is the event that answers one request, whatever goes wrong: the boundary of the library. What prepare fails
// with is the request's fault (InvalidRequest), what the handler fails with the handler's (InternalFailure), unless the
// error says better.
func answer[M any](ctx context.Context, prepare func(*redaction) (prepared[M], error)) *Event[M] {
	redact := &redaction{}
	ready, err := guarded(redact, func() (prepared[M], error) { return prepare(redact) })
	if err != nil {
		return failedEvent[M](err, redact, CodeInvalidRequest)
	}
	ready.observe.begin()
	event, err := guarded(redact, func() (*Event[M], error) { return ready.call(ctx) })
	if err != nil {
		event = failedEvent[M](err, redact, CodeInternalFailure)
	} else {
		event.Message = redact.text(event.Message)
	}
	ready.observe.end(ctx, err)
	return event
}

// panicked is a panic as an error.
type panicked struct{ text string }

func (p *panicked) Error() string { return p.text }

// guarded turns a panic into an error; its trace goes to the log.
func guarded[T any](redact *redaction, call func() (T, error)) (result T, err error) {
	defer func() {
		if raised := recover(); raised != nil {
			err = &panicked{redact.text(fmt.Sprintf("panic: %v", raised))}
			if known, is := raised.(error); is && CodeOf(known) != "" {
				err = known
			}
			log.Print(redact.text(fmt.Sprintf("The handler panicked: %v\n%s", raised, debug.Stack())))
		}
	}()
	return call()
}

func failedEvent[M any](err error, redact *redaction, unexpected ErrorCode) *Event[M] {
	code := CodeOf(err)
	if code == "" {
		code = unexpected
	}
	message := redact.text(err.Error())
	var envelope *envelopeError
	if errors.As(err, &envelope) {
		log.Print("The request cannot be read: ", message)
	} else {
		log.Print("The handler failed: ", code, ": ", message)
	}
	return Failed[M](code, message)
}

// expectEvent is the handler's answer if it is an event with a known status.
func expectEvent[M any](event *Event[M], asked string) (*Event[M], error) {
	if event == nil {
		return nil, fmt.Errorf("the %s handler returned nil instead of an event", asked)
	}
	if !event.Status.known() {
		return nil, fmt.Errorf("the %s handler returned the status %q", asked, event.Status)
	}
	return event, nil
}

// writeResponse is the event as JSON, or the FAILED event that failed makes of what JSON could not hold.
func writeResponse(event *wireEvent, failed func(code ErrorCode, message string) *wireEvent) []byte {
	text, err := Marshal(event)
	if err != nil {
		place := "the response"
		var found *misfit
		if errors.As(err, &found) {
			place, err = pointerOf(found.path), errors.New(found.reason)
		}
		complaint := fmt.Sprintf("The response cannot be written: %s %s", place, err)
		log.Print(complaint)
		text, _ = Marshal(failed(CodeInternalFailure, complaint)) // texts only
	}
	return text
}
