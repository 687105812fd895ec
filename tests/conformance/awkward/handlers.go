// Package resource has handlers that answer what the service at AWKWARD_SERVICE says, through the Go handler library and
// its models.
package resource

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"net/http"
	"os"

	"$import_path/internal/cfn"
)

type answer struct {
	Status               cfn.Status
	ErrorCode            cfn.ErrorCode
	Message              string
	CallbackContext      cfn.CallbackContext
	CallbackDelaySeconds float64
	ResourceModel        json.RawMessage
	ResourceModels       []json.RawMessage
	NextToken            string
}

func Create(_ context.Context, request *Request) (*Event, error) { return ask(request) }
func Read(_ context.Context, request *Request) (*Event, error)   { return ask(request) }
func Update(_ context.Context, request *Request) (*Event, error) { return ask(request) }
func Delete(_ context.Context, request *Request) (*Event, error) { return ask(request) }
func List(_ context.Context, request *Request) (*Event, error)   { return ask(request) }

func ask(request *Request) (*Event, error) {
	desired, err := cfn.Marshal(request.DesiredState)
	if err != nil {
		return nil, err
	}
	asked := map[string]any{
		"action":          request.Action,
		"bearerToken":     request.ClientRequestToken,
		"callbackContext": request.CallbackContext,
		"requestData":     map[string]any{"resourceProperties": json.RawMessage(desired)},
	}
	if request.NextToken != "" {
		asked["nextToken"] = request.NextToken
	}
	text, err := json.Marshal(asked)
	if err != nil {
		return nil, err
	}
	response, err := http.Post(os.Getenv("AWKWARD_SERVICE"), "application/json", bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	var found answer
	if err := json.NewDecoder(response.Body).Decode(&found); err != nil {
		return nil, err
	}
	return found.event()
}

// event is the answer in the library's terms, whose delays are whole seconds.
func (a *answer) event() (*Event, error) {
	event := &Event{
		Status:               a.Status,
		ErrorCode:            a.ErrorCode,
		Message:              a.Message,
		CallbackContext:      a.CallbackContext,
		CallbackDelaySeconds: int(math.Ceil(a.CallbackDelaySeconds)),
		NextToken:            a.NextToken,
	}
	if a.ResourceModel != nil && string(a.ResourceModel) != "null" {
		event.ResourceModel = &Model{}
		if err := cfn.Unmarshal(a.ResourceModel, event.ResourceModel); err != nil {
			return nil, err
		}
	}
	for _, each := range a.ResourceModels {
		var model Model
		if err := cfn.Unmarshal(each, &model); err != nil {
			return nil, err
		}
		event.ResourceModels = append(event.ResourceModels, model)
	}
	return event, nil
}
