package chain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"time"

	"formwork/cfn"
)

// ContextLimit is the most bytes that the callback context may have as JSON. No published text gives the service's
// limit; this is far below what a Lambda request can hold, and ample for identifiers.
const ContextLimit = 32 << 10

const (
	// Create, update and delete must answer within 60 seconds: waits inside an invocation end well before.
	budget = 30 * time.Second
	spare  = 100 * time.Millisecond
)

// Chain is the steps of one operation on one model.
type Chain[M any] struct {
	Model   *M
	Context cfn.CallbackContext
	// Token is the request's, for TokenFor.
	Token string
	// Checkpoint ends the invocation after every service call, so that nothing made is forgotten even if the process
	// dies right after; it costs a re-invocation a call.
	Checkpoint bool
	// Limit is the most bytes that the callback context may have, ContextLimit where it is 0.
	Limit int
	// Now and Sleep are the clock, replaceable for tests.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration)

	ctx    context.Context
	began  time.Time
	states map[string]any
	names  map[string]bool
	err    error
}

// New is a chain on a model. It keeps its state in the callback context, beside the handler's own.
func New[M any](ctx context.Context, model *M, callbackContext cfn.CallbackContext) *Chain[M] {
	states, err := loadStates(callbackContext)
	return &Chain[M]{
		Model: model, Context: callbackContext, Now: time.Now, Sleep: sleep,
		ctx: ctx, states: states, names: map[string]bool{}, err: err,
	}
}

// Of is the chain for a handler's request: its desired model, its context and its token.
func Of[M, C any](ctx context.Context, request *cfn.Request[M, C]) *Chain[M] {
	if request.CallbackContext == nil {
		request.CallbackContext = cfn.CallbackContext{}
	}
	made := New(ctx, request.DesiredState, request.CallbackContext)
	made.Token = request.ClientRequestToken
	return made
}

func sleep(ctx context.Context, wait time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
}

// TokenFor is an idempotency token for a step's request: the same in every attempt of this operation, a UUID in form.
func (c *Chain[M]) TokenFor(name string) string {
	sum := sha256.Sum256([]byte(c.Token + "/" + name))
	digest := hex.EncodeToString(sum[:])
	return strings.Join([]string{digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32]}, "-")
}

// Progress continues at once, or, with a delay, when the handler is called again. The first Then can follow it.
func (c *Chain[M]) Progress(delaySeconds int) *Progress[M] {
	if c.err != nil {
		return From[M](nil, c.err)
	}
	return From(cfn.InProgress(c.Model, c.Context, delaySeconds), nil)
}

// Success ends the operation with SUCCESS and the model.
func (c *Chain[M]) Success() *Progress[M] { return From(cfn.Success(c.Model), nil) }

// Failed ends the operation with FAILED.
func (c *Chain[M]) Failed(code cfn.ErrorCode, message string) *Progress[M] {
	return From(cfn.Failed[M](code, message), nil)
}

// WaitFor is a step that calls nothing and ends when isReady returns true.
func (c *Chain[M]) WaitFor(name string, isReady func(context.Context) (bool, error), delay Delay) *Progress[M] {
	nothing := Call(c, name, func(context.Context) (any, error) { return nil, nil })
	nothing.mutates = false
	if delay != nil {
		nothing.Backoff(delay)
	}
	ready := func(ctx context.Context, _ *Step[M, any]) (bool, error) { return isReady(ctx) }
	return nothing.Stabilize(ready).Progress()
}

// state is what is remembered of a step.
func (c *Chain[M]) state(name string) stepState {
	entry, is := c.states[name].(map[string]any)
	if !is {
		entry = map[string]any{}
		c.states[name] = entry
	}
	return entry
}

// wait waits for the next attempt of a step: here if that is short (nil), else by being called again; or it gives up.
func (c *Chain[M]) wait(name string, delay Delay, last error) *Progress[M] {
	attempt, elapsed := c.state(name).countAttempt(c.Now())
	wait, going := waitAfter(delay, attempt)
	if !going || elapsed+wait > delay.Horizon() {
		return From[M](nil, exhausted(name, last, attempt, elapsed))
	}
	if wait < time.Second && c.mayWait(wait) {
		c.Sleep(c.ctx, wait)
		return nil
	}
	event := cfn.InProgress(c.Model, c.Context, max(1, int(math.Ceil(wait.Seconds()))))
	event.Message = name + ": waiting, attempt " + itoa(attempt)
	return From(event, nil)
}

// mayWait says whether a wait, and twice as long a turn as the one so far after it, fit into this invocation.
func (c *Chain[M]) mayWait(wait time.Duration) bool {
	now := c.Now()
	if c.began.IsZero() {
		c.began = now
	}
	spent := now.Sub(c.began)
	if deadline, limited := c.ctx.Deadline(); limited && deadline.Sub(now) <= wait+2*spent+spare {
		return false
	}
	return c.ctx.Err() == nil && spent+wait < budget
}

// checked is the progress of a step, if its context is small enough to travel.
func (c *Chain[M]) checked(progress *Progress[M]) *Progress[M] {
	if progress.err == nil && progress.event.Status == cfn.StatusInProgress && !progress.CanContinue() {
		limit := c.Limit
		if limit == 0 {
			limit = ContextLimit
		}
		if err := expectWithin(c.Context, c.states, limit); err != nil {
			return From[M](nil, err)
		}
	}
	return progress
}
