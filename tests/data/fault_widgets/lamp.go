// Package resource has the handlers of a lamp with a bulb in a service of the web, by net/http alone.
package resource

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"example.com/lamp/internal/cfn"
)

const base = "https://api.lamps.example/v1"

var codes = map[int]cfn.ErrorCode{
	429: cfn.CodeThrottling,
	503: cfn.CodeServiceInternalError,
	403: cfn.CodeAccessDenied,
	401: cfn.CodeInvalidCredentials,
	404: cfn.CodeNotFound,
}

type refused struct {
	code cfn.ErrorCode
	said string
}

func (r *refused) Error() string { return r.said }

type lamp struct {
	ID    int    `json:"id,omitempty"`
	Name  string `json:"name"`
	Color string `json:"color"`
}

type bulb struct {
	Watts int `json:"watts"`
}

func ask(ctx context.Context, method, path string, body, answer any, token string) error {
	sent, _ := json.Marshal(body)
	request, _ := http.NewRequestWithContext(ctx, method, base+path, bytes.NewReader(sent))
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Idempotency-Key", token)
	}
	client := &http.Client{Timeout: 5 * time.Second, Transport: &http.Transport{}}
	reply, err := client.Do(request)
	if err != nil {
		return &refused{cfn.CodeNetworkFailure, "the service can't be reached"}
	}
	defer reply.Body.Close()
	if reply.StatusCode >= 300 {
		code, known := codes[reply.StatusCode]
		if !known {
			code = cfn.CodeGeneralServiceException
		}
		return &refused{code, fmt.Sprintf("the service answers %d", reply.StatusCode)}
	}
	if answer == nil {
		return nil
	}
	return json.NewDecoder(reply.Body).Decode(answer)
}

func failed(err error, model *Model) (*Event, error) {
	var why *refused
	if !errors.As(err, &why) {
		return nil, err
	}
	event := cfn.Failed[Model](why.code, why.said)
	if why.code != cfn.CodeNotFound && model != nil && model.Id != nil {
		event.ResourceModel = &Model{Id: model.Id}
	}
	return event, nil
}

func number(model *Model) string { return *model.Id }

func shown(found lamp, bulbs []bulb) *Event {
	id := strconv.Itoa(found.ID)
	return cfn.Success(&Model{Id: &id, Name: &found.Name, Color: &found.Color, Watts: &bulbs[0].Watts})
}

// Create makes a lamp, and its bulb.
func Create(ctx context.Context, request *Request) (*Event, error) {
	model := request.DesiredState
	var made lamp
	if err := ask(ctx, "POST", "/lamps", lamp{Name: *model.Name, Color: *model.Color}, &made, request.ClientRequestToken); err != nil {
		return failed(err, nil)
	}
	id := strconv.Itoa(made.ID)
	var bulbs []bulb
	var why *refused
	err := ask(ctx, "GET", "/lamps/"+id+"/bulbs", nil, &bulbs, "")
	if err != nil && !(errors.As(err, &why) && why.code == cfn.CodeNotFound) {
		return failed(err, &Model{Id: &id})
	}
	if len(bulbs) == 0 {
		var one bulb
		if err := ask(ctx, "POST", "/lamps/"+id+"/bulbs", bulb{*model.Watts}, &one, ""); err != nil {
			return failed(err, &Model{Id: &id})
		}
		bulbs = append(bulbs, one)
	}
	return shown(made, bulbs), nil
}

// Read asks for the lamp and its bulb.
func Read(ctx context.Context, request *Request) (*Event, error) {
	var found lamp
	if err := ask(ctx, "GET", "/lamps/"+number(request.DesiredState), nil, &found, ""); err != nil {
		return failed(err, request.DesiredState)
	}
	return withBulbs(ctx, request, found)
}

func withBulbs(ctx context.Context, request *Request, found lamp) (*Event, error) {
	var bulbs []bulb
	if err := ask(ctx, "GET", "/lamps/"+number(request.DesiredState)+"/bulbs", nil, &bulbs, ""); err != nil {
		return failed(err, request.DesiredState)
	}
	return shown(found, bulbs), nil
}

// Update replaces the lamp.
func Update(ctx context.Context, request *Request) (*Event, error) {
	model := request.DesiredState
	var found lamp
	if err := ask(ctx, "PUT", "/lamps/"+number(model), lamp{Name: *model.Name, Color: *model.Color}, &found, ""); err != nil {
		return failed(err, model)
	}
	return withBulbs(ctx, request, found)
}

// Delete deletes the lamp, and the bulb with it.
func Delete(ctx context.Context, request *Request) (*Event, error) {
	if err := ask(ctx, "DELETE", "/lamps/"+number(request.DesiredState), nil, nil, ""); err != nil {
		return failed(err, request.DesiredState)
	}
	return cfn.Success[Model](nil), nil
}

// List lists all lamps.
func List(ctx context.Context, _ *Request) (*Event, error) {
	var lamps []lamp
	if err := ask(ctx, "GET", "/lamps", nil, &lamps, ""); err != nil {
		return failed(err, nil)
	}
	models := []Model{}
	for _, each := range lamps {
		id := strconv.Itoa(each.ID)
		models = append(models, Model{Id: &id})
	}
	return cfn.SuccessList(models, ""), nil
}
