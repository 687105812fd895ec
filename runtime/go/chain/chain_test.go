package chain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"formwork/cfn"
)

type model struct {
	Name *string `json:"Name,omitzero"`
}

type created struct{ ID string }

type serviceError struct {
	code   string
	status int
}

func (e *serviceError) Error() string       { return "api error " + e.code }
func (e *serviceError) ErrorCode() string   { return e.code }
func (e *serviceError) HTTPStatusCode() int { return e.status }

// world is time, and a service that answers from a script: nil is success.
type world struct {
	now    time.Time
	slept  []time.Duration
	script []error
	calls  int
}

func newWorld(script ...error) *world {
	return &world{now: time.Unix(1_700_000_000, 0), script: script}
}

func (w *world) create(context.Context) (created, error) {
	w.calls++
	if len(w.script) > 0 {
		err := w.script[0]
		w.script = w.script[1:]
		if err != nil {
			return created{}, err
		}
	}
	return created{"id-1"}, nil
}

func (w *world) chain(callbackContext cfn.CallbackContext) *Chain[model] {
	made := New(context.Background(), &model{Name: cfn.Ptr("n")}, callbackContext)
	made.Token = "token-1"
	made.Now = func() time.Time { return w.now }
	made.Sleep = func(_ context.Context, wait time.Duration) {
		w.slept = append(w.slept, wait)
		w.now = w.now.Add(wait)
	}
	return made
}

func (w *world) step(callbackContext cfn.CallbackContext) *Called[model, created] {
	return Call(w.chain(callbackContext), "create", w.create)
}

type event = cfn.Event[model]

// answerOf is the event that the runtime would answer with.
func answerOf(progress *Progress[model]) *event {
	found, err := progress.Answer()
	if err != nil {
		return cfn.Failed[model](cfn.CodeOf(err), err.Error())
	}
	return found
}

// survive is the callback context as the next invocation gets it.
func survive(t *testing.T, context cfn.CallbackContext) cfn.CallbackContext {
	t.Helper()
	text, err := cfn.Marshal(context)
	if err != nil {
		t.Fatal(err)
	}
	var back cfn.CallbackContext
	if err := cfn.Unmarshal(text, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

// run invokes until the operation ends, as CloudFormation does.
func run(t *testing.T, w *world, build func(cfn.CallbackContext) *Progress[model]) []*event {
	t.Helper()
	var events []*event
	callbackContext := cfn.CallbackContext{}
	for len(events) < 500 {
		found := answerOf(build(callbackContext))
		events = append(events, found)
		if found.Status != cfn.StatusInProgress {
			return events
		}
		callbackContext = survive(t, found.CallbackContext)
		w.now = w.now.Add(time.Duration(found.CallbackDelaySeconds) * time.Second)
	}
	t.Fatal("the operation does not end")
	return nil
}

func expect(t *testing.T, what string, found, expected any) {
	t.Helper()
	if fmt.Sprint(found) != fmt.Sprint(expected) {
		t.Errorf("%s: %v, expected %v", what, found, expected)
	}
}

func TestAStepSucceedsAtOnce(t *testing.T) {
	w := newWorld()
	found := answerOf(w.step(cfn.CallbackContext{}).Success())
	expect(t, "status", found.Status, cfn.StatusSuccess)
	expect(t, "name", *found.ResourceModel.Name, "n")
	expect(t, "calls", w.calls, 1)
}

func TestNothingRunsBeforeTheLastWord(t *testing.T) {
	w := newWorld()
	w.step(cfn.CallbackContext{}).Stabilize(func(context.Context, *Step[model, created]) (bool, error) { return true, nil })
	expect(t, "calls", w.calls, 0)
}

func TestACallIsMadeOnce(t *testing.T) {
	w := newWorld()
	asked := 0
	events := run(t, w, func(callbackContext cfn.CallbackContext) *Progress[model] {
		return w.step(callbackContext).Stabilize(func(_ context.Context, step *Step[model, created]) (bool, error) {
			expect(t, "response", step.Response.ID, "id-1")
			asked++
			return asked == 3, nil
		}).Success()
	})
	expect(t, "invocations", len(events), 3)
	expect(t, "calls", w.calls, 1)
}

func TestAResponseOfNothingIsRemembered(t *testing.T) {
	w := newWorld()
	calls := 0
	events := run(t, w, func(callbackContext cfn.CallbackContext) *Progress[model] {
		return Call(w.chain(callbackContext), "create", func(context.Context) (*created, error) {
			calls++
			return nil, nil
		}).ProgressAfter(30).Success()
	})
	expect(t, "delays", []int{events[0].CallbackDelaySeconds, len(events)}, []int{30, 2})
	expect(t, "calls", calls, 1)
}

func TestWhatWaitsSaysForWhatAndCarriesTheModel(t *testing.T) {
	w := newWorld()
	never := func(context.Context, *Step[model, created]) (bool, error) { return false, nil }
	found := answerOf(w.step(cfn.CallbackContext{"mine": 1}).Stabilize(never).Progress())
	expect(t, "message", found.Message, "create: waiting, attempt 1")
	expect(t, "delay", found.CallbackDelaySeconds, 5)
	expect(t, "name", *found.ResourceModel.Name, "n")
	text, _ := cfn.Marshal(found.CallbackContext)
	expect(t, "context", string(text),
		`{"__chain__":{"create":{"attempts":1,"response":{"ID":"id-1"},"started":1.7e+09}},"mine":1}`)
}

func TestStabilizationIsNotAskedAgain(t *testing.T) {
	w := newWorld()
	asked := 0
	events := run(t, w, func(callbackContext cfn.CallbackContext) *Progress[model] {
		steps := w.chain(callbackContext)
		return Call(steps, "one", w.create).Stabilize(func(context.Context, *Step[model, created]) (bool, error) {
			asked++
			return true, nil
		}).Progress().Then(func() *Progress[model] {
			return steps.WaitFor("two", func(context.Context) (bool, error) { return w.now.Unix() > 1_700_000_010, nil }, nil)
		}).Success()
	})
	expect(t, "invocations", len(events), 4)
	expect(t, "asked", asked, 1)
}

func TestThenIsSkippedAfterTheEndAndWhileWaiting(t *testing.T) {
	w := newWorld()
	never := func() *Progress[model] { t.Error("called"); return nil }
	w.step(cfn.CallbackContext{}).Success().Then(never)
	w.step(cfn.CallbackContext{}).ProgressAfter(5).Then(never)
	w.chain(cfn.CallbackContext{}).Failed(cfn.CodeNotFound, "gone").Then(never).OnSuccess(never)
	done := w.step(cfn.CallbackContext{}).Success().OnSuccess(func() *Progress[model] {
		return From(&event{Status: cfn.StatusSuccess, Message: "read"}, nil)
	})
	expect(t, "message", answerOf(done).Message, "read")
	nothing := w.step(cfn.CallbackContext{}).Progress().Then(func() *Progress[model] { return nil })
	expect(t, "code", answerOf(nothing).ErrorCode, cfn.CodeInternalFailure)
}

func TestErrorsMeanWhatTheySay(t *testing.T) {
	for _, each := range []struct {
		err  error
		code cfn.ErrorCode
	}{
		{&serviceError{"ResourceNotFoundException", 400}, cfn.CodeNotFound},
		{&serviceError{"Odd", 403}, cfn.CodeAccessDenied},
		{cfn.AlreadyExists("A::B::C", "n"), cfn.CodeAlreadyExists},
		{&cfn.Failure{Code: cfn.CodeThrottling}, cfn.CodeThrottling},
		{errors.New("boom"), cfn.CodeInternalFailure},
	} {
		w := newWorld(each.err)
		found := answerOf(w.step(cfn.CallbackContext{}).Success())
		expect(t, each.err.Error(), found.ErrorCode, each.code)
	}
}

func TestThrottlingIsWaitedOut(t *testing.T) {
	for _, passing := range []error{
		&serviceError{"ThrottlingException", 400}, &serviceError{"Odd", 503}, &serviceError{"", 504}, Retry,
	} {
		w := newWorld(passing, passing)
		events := run(t, w, func(c cfn.CallbackContext) *Progress[model] { return w.step(c).Success() })
		expect(t, passing.Error(), len(events), 3)
		expect(t, "calls", w.calls, 3)
	}
}

func TestWhatIsSaidAboutErrors(t *testing.T) {
	w := newWorld(&serviceError{"ResourceInUseException", 400})
	events := run(t, w, func(c cfn.CallbackContext) *Progress[model] {
		return w.step(c).RetryOn("ResourceInUseException").Success()
	})
	expect(t, "invocations", len(events), 2)

	w = newWorld(&serviceError{"Odd", 400})
	found := answerOf(w.step(cfn.CallbackContext{}).FailAs(map[string]cfn.ErrorCode{"Odd": cfn.CodeNotUpdatable}).Success())
	expect(t, "code", found.ErrorCode, cfn.CodeNotUpdatable)

	handled := func(decide func(error, *Step[model, created]) (*event, error)) *event {
		w := newWorld(errors.New("boom"))
		return answerOf(w.step(cfn.CallbackContext{}).HandleError(decide).Success())
	}
	expect(t, "an event", handled(func(error, *Step[model, created]) (*event, error) {
		return cfn.Success(&model{}), nil
	}).Status, cfn.StatusSuccess)
	expect(t, "another error", handled(func(error, *Step[model, created]) (*event, error) {
		return nil, cfn.NotFound("A::B::C", "n")
	}).ErrorCode, cfn.CodeNotFound)
	expect(t, "a retry", handled(func(error, *Step[model, created]) (*event, error) {
		return nil, fmt.Errorf("soon: %w", Retry)
	}).Status, cfn.StatusInProgress)
	nothing := handled(func(error, *Step[model, created]) (*event, error) { return nil, nil })
	expect(t, "nothing", strings.Contains(nothing.Message, "boom"), true)
}

func TestPatienceEnds(t *testing.T) {
	w := newWorld()
	events := run(t, w, func(c cfn.CallbackContext) *Progress[model] {
		return w.step(c).Backoff(Constant(5*time.Second, 20*time.Second)).
			Stabilize(func(context.Context, *Step[model, created]) (bool, error) { return false, nil }).Success()
	})
	last := events[len(events)-1]
	expect(t, "code", last.ErrorCode, cfn.CodeNotStabilized)
	expect(t, "message", last.Message, "create did not stabilize after 5 attempts in 20 seconds")

	throttled := &serviceError{"ThrottlingException", 400}
	w = newWorld(throttled, throttled, throttled, throttled)
	events = run(t, w, func(c cfn.CallbackContext) *Progress[model] {
		return w.step(c).Backoff(Constant(5*time.Second, 10*time.Second)).Success()
	})
	last = events[len(events)-1]
	expect(t, "code", last.ErrorCode, cfn.CodeThrottling)
	expect(t, "message", last.Message, "create gave up after 3 attempts in 10 seconds: api error ThrottlingException")
}

func TestShortWaitsAreSpentHere(t *testing.T) {
	w := newWorld()
	asked := 0
	found := answerOf(w.step(cfn.CallbackContext{}).Backoff(Constant(500*time.Millisecond, time.Minute)).
		Stabilize(func(context.Context, *Step[model, created]) (bool, error) { asked++; return asked == 3, nil }).Success())
	expect(t, "status", found.Status, cfn.StatusSuccess)
	expect(t, "slept", w.slept, []time.Duration{500 * time.Millisecond, 500 * time.Millisecond})
}

func TestShortWaitsThatDoNotFitAreRoundedUp(t *testing.T) {
	w := newWorld()
	steps := w.chain(cfn.CallbackContext{})
	ctx, cancel := context.WithDeadline(context.Background(), time.Now().Add(time.Hour))
	defer cancel()
	steps.ctx = ctx
	deadline, _ := ctx.Deadline()
	w.now = deadline.Add(-300 * time.Millisecond)
	found := answerOf(Call(steps, "create", w.create).Backoff(Constant(500*time.Millisecond, time.Minute)).
		Stabilize(func(context.Context, *Step[model, created]) (bool, error) { return false, nil }).Success())
	expect(t, "delay", found.CallbackDelaySeconds, 1)
	expect(t, "slept", len(w.slept), 0)
}

func TestACheckpointEndsTheInvocationAfterEachCall(t *testing.T) {
	w := newWorld()
	events := run(t, w, func(c cfn.CallbackContext) *Progress[model] {
		steps := w.chain(c)
		steps.Checkpoint = true
		return Call(steps, "one", w.create).Progress().
			Then(func() *Progress[model] { return Call(steps, "two", w.create).Progress() }).
			Then(func() *Progress[model] {
				return steps.WaitFor("three", func(context.Context) (bool, error) { return true, nil }, nil)
			}).Success()
	})
	expect(t, "invocations", len(events), 3)
	expect(t, "calls", w.calls, 2)
}

func TestTwoStepsOfOneNameAreRefused(t *testing.T) {
	w := newWorld()
	steps := w.chain(cfn.CallbackContext{})
	found := answerOf(Call(steps, "one", w.create).Progress().Then(func() *Progress[model] {
		return Call(steps, "one", w.create).Progress()
	}))
	expect(t, "code", found.ErrorCode, cfn.CodeInternalFailure)
	expect(t, "calls", w.calls, 1)
}

func TestForeignContextsAreRefused(t *testing.T) {
	w := newWorld()
	for _, foreign := range []any{"text", map[string]any{"create": 1}} {
		found := answerOf(w.step(cfn.CallbackContext{"__chain__": foreign}).Success())
		expect(t, "code", found.ErrorCode, cfn.CodeInternalFailure)
	}
	expect(t, "calls", w.calls, 0)
}

func TestWhatCannotBeRememberedIsSaid(t *testing.T) {
	w := newWorld()
	found := answerOf(Call(w.chain(cfn.CallbackContext{}), "create", func(context.Context) (func(), error) {
		return func() {}, nil
	}).Success())
	expect(t, "message", strings.HasPrefix(found.Message, "the response of create cannot be remembered"), true)

	large := answerOf(Call(w.chain(cfn.CallbackContext{}), "create", func(context.Context) (string, error) {
		return strings.Repeat("x", 40_000), nil
	}).ProgressAfter(5))
	expect(t, "message", strings.Contains(large.Message, "step create holds most"), true)
}

func TestTokensAreStableAndTellStepsApart(t *testing.T) {
	steps := newWorld().chain(cfn.CallbackContext{})
	expect(t, "again", steps.TokenFor("a"), steps.TokenFor("a"))
	expect(t, "another", steps.TokenFor("a") == steps.TokenFor("b"), false)
	// As the Python library makes them: a project may change its language.
	expect(t, "token", steps.TokenFor("create"), "b7cd3a96-c2b8-d6e8-49f4-984ea1f4306c")
}

func TestDelaysAreTheTableOfTheGuide(t *testing.T) {
	second := time.Second
	for _, each := range []struct {
		name    string
		delay   Delay
		seconds []float64
	}{
		{"constant", Constant(5*second, 20*second), []float64{5, 5, 5, 5}},
		{"exponential", Exponential(2, 0, 30*second), []float64{2, 4, 8, 16}},
		{"capped", CappedExponential(2, second, 20*second, 70*second), []float64{2, 4, 8, 16, 20, 20}},
		{"multiple", MultipleOf(5*second, 2, 65*second), []float64{5, 10, 20, 30}},
		{"shift", ShiftBy(5*second, 2, 65*second), []float64{5, 15, 35, 65}},
		{
			"blended", Blended(Constant(5*second, 20*second), ShiftBy(5*second, 2, 220*second)),
			[]float64{5, 5, 5, 5, 40, 90, 150, 220},
		},
	} {
		var seconds []float64
		for wait := range each.delay.Waits(1) {
			seconds = append(seconds, wait.Seconds())
		}
		expect(t, each.name, seconds, each.seconds)
	}
	expect(t, "horizon", ShiftBy(5*second, 2, 65*second).Horizon(), 120*second)
}

func TestTimesInResponsesSurvive(t *testing.T) {
	type response struct{ At time.Time }
	w := newWorld()
	at := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	run(t, w, func(c cfn.CallbackContext) *Progress[model] {
		return Call(w.chain(c), "create", func(context.Context) (*response, error) { return &response{at}, nil }).
			ProgressAfter(5).Then(func() *Progress[model] {
			return Call(w.chain(c), "read", func(context.Context) (json.RawMessage, error) {
				return json.RawMessage(`{"a":1}`), nil
			}).Done(func(_ context.Context, step *Step[model, json.RawMessage]) (*event, error) {
				expect(t, "raw", string(step.Response), `{"a":1}`)
				return cfn.Success(step.Model), nil
			})
		})
	})
}
