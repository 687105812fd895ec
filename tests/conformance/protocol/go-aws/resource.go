// Package resource has the behaviours of the protocol's vectors over AWS's runtime, as a project of the incumbent's has
// its handlers. BEHAVIOUR names the one that every action has.
package resource

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/aws-cloudformation/cloudformation-cli-go-plugin/cfn/handler"
	"github.com/aws/aws-sdk-go/aws/awserr"
	"github.com/aws/aws-sdk-go/service/cloudformation"
)

func Create(req handler.Request, prev *Model, model *Model) (handler.ProgressEvent, error) {
	return behave(req, prev, model, false)
}

func Read(req handler.Request, prev *Model, model *Model) (handler.ProgressEvent, error) {
	return behave(req, prev, model, false)
}

func Update(req handler.Request, prev *Model, model *Model) (handler.ProgressEvent, error) {
	return behave(req, prev, model, false)
}

func Delete(req handler.Request, prev *Model, model *Model) (handler.ProgressEvent, error) {
	return behave(req, prev, model, false)
}

func List(req handler.Request, prev *Model, model *Model) (handler.ProgressEvent, error) {
	return behave(req, prev, model, true)
}

func behave(req handler.Request, prev, model *Model, list bool) (handler.ProgressEvent, error) {
	success := handler.ProgressEvent{OperationStatus: handler.Success}
	switch behaviour := os.Getenv("BEHAVIOUR"); behaviour {
	case "echo":
		if list {
			success.ResourceModels, success.NextToken = []interface{}{model}, req.RequestContext.NextToken
		} else {
			success.ResourceModel = model
		}
		return success, nil
	case "describe":
		text, err := describe(req, prev, model)
		success.Message = text
		return success, err
	case "progress":
		step, _ := req.CallbackContext["step"].(float64)
		if req.CallbackContext["step"] == nil {
			step = -1
		}
		return handler.ProgressEvent{
			OperationStatus: handler.InProgress, CallbackDelaySeconds: 5, ResourceModel: model,
			CallbackContext: map[string]interface{}{"step": step + 1},
		}, nil
	case "delete":
		return success, nil
	case "not-found", "own-not-found": // there are no errors with a code, only events
		return handler.ProgressEvent{
			OperationStatus:  handler.Failed,
			HandlerErrorCode: cloudformation.HandlerErrorCodeNotFound,
			Message:          fmt.Sprintf("Resource of type 'Acme::Store::Thing' with identifier '%s' was not found.", *model.Name),
		}, nil
	case "unexpected":
		return handler.ProgressEvent{}, errors.New("boom")
	case "leak":
		credentials, err := req.Session.Config.Credentials.Get()
		if err != nil {
			return handler.ProgressEvent{}, err
		}
		return handler.ProgressEvent{}, fmt.Errorf("signing with %s failed", credentials.SecretAccessKey)
	case "throttled":
		return handler.ProgressEvent{}, awserr.NewRequestFailure(awserr.New("ThrottlingException", "no", nil), 400, "r")
	case "aws-404":
		return handler.ProgressEvent{}, awserr.NewRequestFailure(awserr.New("404", "no", nil), 404, "r")
	case "unwritable":
		success.ResourceModel = map[string]interface{}{"when": make(chan int)}
		return success, nil
	default: // "nothing", and what this runtime knows nothing of
		return handler.ProgressEvent{}, nil
	}
}

func describe(req handler.Request, prev, model *Model) (string, error) {
	configuration, err := Configuration(req)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(map[string]interface{}{
		"desired":                   model,
		"previous":                  prev,
		"desiredResourceTags":       req.RequestContext.StackTags,
		"systemTags":                req.RequestContext.SystemTags,
		"awsAccountId":              req.RequestContext.AccountID,
		"logicalResourceIdentifier": req.LogicalResourceID,
		"typeConfiguration":         configuration,
		"nextToken":                 req.RequestContext.NextToken,
		"region":                    req.RequestContext.Region,
		"stackId":                   req.RequestContext.StackID,
		"callbackContext":           req.CallbackContext,
		"session":                   req.Session != nil,
	})
	return string(text), err
}
