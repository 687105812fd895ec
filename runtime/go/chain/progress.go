package chain

import "formwork/cfn"

// Progress is what a step ends with: Then runs the next step, or returns the event that ends the chain.
type Progress[M any] struct {
	event *cfn.Event[M]
	err   error
	leave bool // ends this invocation whatever the event's delay
}

// From is what a handler answered, for a Then.
func From[M any](event *cfn.Event[M], err error) *Progress[M] {
	if err == nil && event == nil {
		err = cfn.InternalFailure("a step of the chain returned nil instead of an event")
	}
	return &Progress[M]{event: event, err: err}
}

// Answer is what the handler returns.
func (p *Progress[M]) Answer() (*cfn.Event[M], error) { return p.event, p.err }

// CanContinue says whether the next step may run in this invocation.
func (p *Progress[M]) CanContinue() bool {
	return p.err == nil && !p.leave && p.event.Status == cfn.StatusInProgress && p.event.CallbackDelaySeconds == 0
}

// Then runs the next step, unless the operation has ended or waits to be called again.
func (p *Progress[M]) Then(step func() *Progress[M]) *Progress[M] {
	if !p.CanContinue() {
		return p
	}
	return expected(step())
}

// OnSuccess runs something more once the operation has succeeded.
func (p *Progress[M]) OnSuccess(step func() *Progress[M]) *Progress[M] {
	if p.err != nil || p.event.Status != cfn.StatusSuccess {
		return p
	}
	return expected(step())
}

// Success ends the operation with SUCCESS and the model, if nothing ended it before.
func (p *Progress[M]) Success() *Progress[M] {
	return p.Then(func() *Progress[M] { return From(cfn.Success(p.event.ResourceModel), nil) })
}

func expected[M any](next *Progress[M]) *Progress[M] {
	if next == nil {
		return From[M](nil, nil)
	}
	return next
}
