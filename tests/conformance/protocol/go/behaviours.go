package main

import (
	"errors"
	"fmt"

	"formwork/cfn"
)

// ownNotFound is an error of the author's that is a NotFound.
type ownNotFound struct{ *cfn.Failure }

// serviceError is an error as the AWS SDK makes it, which this program must not need.
type serviceError struct {
	code   string
	status int
}

func (e *serviceError) Error() string       { return fmt.Sprintf("api error %s: no", e.code) }
func (e *serviceError) ErrorCode() string   { return e.code }
func (e *serviceError) HTTPStatusCode() int { return e.status }

// call is what a handler was called with, for both kinds.
type call[M any] struct {
	isList    bool
	model     *M
	nextToken string
	context   cfn.CallbackContext
	secret    string
	name      string
	seen      map[string]any
	unfit     *M
}

func behave[M any](behaviour string, asked call[M]) (*cfn.Event[M], error) {
	switch behaviour {
	case "echo":
		if asked.isList {
			return cfn.SuccessList([]M{*asked.model}, asked.nextToken), nil
		}
		return cfn.Success(asked.model), nil
	case "describe":
		text, err := pythonic(asked.seen)
		return &cfn.Event[M]{Status: cfn.StatusSuccess, Message: text}, err
	case "progress":
		step, found := cfn.Get[int](asked.context, "step")
		if !found {
			step = -1
		}
		return cfn.InProgress(asked.model, cfn.CallbackContext{"step": step + 1}, 5), nil
	case "delete":
		return cfn.Success[M](nil), nil
	case "not-found":
		return nil, cfn.NotFound("Acme::Store::Thing", asked.name)
	case "own-not-found":
		var known *cfn.Failure
		errors.As(cfn.NotFound("Acme::Store::Thing", asked.name), &known)
		return nil, ownNotFound{known}
	case "unexpected":
		return nil, errors.New("boom")
	case "leak":
		return nil, fmt.Errorf("signing with %s failed", asked.secret)
	case "throttled":
		return nil, &serviceError{"ThrottlingException", 400}
	case "aws-404":
		return nil, &serviceError{"404", 404}
	case "nothing":
		return nil, nil
	case "unwritable":
		return cfn.Success(asked.unfit), nil
	case "failed":
		return cfn.Failed[M](cfn.CodeNonCompliant, "no"), nil
	case "annotate":
		event := cfn.Failed[M](cfn.CodeNonCompliant, "no")
		event.Result = "r"
		event.Annotations = []cfn.Annotation{
			{AnnotationName: "encryption", Status: cfn.AnnotationFailed, SeverityLevel: cfn.SeverityHigh},
		}
		return event, nil
	case "skip-stack-hook":
		return &cfn.Event[M]{Status: cfn.StatusSkipStackHook}, nil
	default:
		return nil, fmt.Errorf("no behaviour %q", behaviour)
	}
}
