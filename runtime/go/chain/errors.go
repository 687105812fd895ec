package chain

import (
	"errors"
	"slices"
	"time"

	"formwork/cfn"
)

// Retry is what an error handler returns, alone or wrapped: wait and try the step again.
var Retry = errors.New("the step is tried again")

var busyStatuses = []int{429, 503, 504}

// coded is an error of the handler library, which says its code itself.
type coded interface {
	error
	HandlerErrorCode() cfn.ErrorCode
}

func isCoded(err error) bool {
	var known coded
	return errors.As(err, &known)
}

// defaultEvent is the FAILED event for an error, or nil where the step should be tried again: throttling, a busy
// service. The library's own errors keep their code; AWS errors are translated; all else is an InternalFailure.
func defaultEvent[M any](err error) *cfn.Event[M] {
	if errors.Is(err, Retry) {
		return nil
	}
	code := cfn.CodeOf(err)
	if !isCoded(err) && (code == cfn.CodeThrottling || slices.Contains(busyStatuses, cfn.HTTPStatus(err))) {
		return nil
	}
	if code == "" {
		code = cfn.CodeInternalFailure
	}
	return cfn.Failed[M](code, err.Error())
}

// exhausted is the error when the time to wait is over: the last one's code, or NotStabilized where there was none.
func exhausted(name string, last error, attempts int, elapsed time.Duration) error {
	if last == nil {
		return cfn.Errorf(cfn.CodeNotStabilized, "%s did not stabilize after %d attempts in %.0f seconds",
			name, attempts, elapsed.Seconds())
	}
	code := cfn.CodeOf(last)
	if code == "" {
		code = cfn.CodeNotStabilized
	}
	return cfn.Errorf(code, "%s gave up after %d attempts in %.0f seconds: %s", name, attempts, elapsed.Seconds(), last)
}
