// Runs the vectors of the handler protocol against the Go handler library: one JSON document a line in, one out, as
// tests/support/vectors.py says.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log"
	"os"
	"strings"

	"formwork/cfn"
)

type vector struct {
	ID         string          `json:"id"`
	Kind       string          `json:"kind"`
	Entrypoint string          `json:"entrypoint"`
	Handler    string          `json:"handler"`
	Secret     string          `json:"secret"`
	Request    json.RawMessage `json:"request"`
}

type answer struct {
	ID       string          `json:"id"`
	Response json.RawMessage `json:"response"`
}

func main() {
	lines := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if len(bytes.TrimSpace(line)) > 0 {
			var each vector
			if err := json.Unmarshal(line, &each); err != nil {
				log.Fatal(err)
			}
			if err := out.Encode(answer{each.ID, each.answer()}); err != nil {
				log.Fatal(err)
			}
		}
		if err == io.EOF {
			return
		}
	}
}

func (v *vector) answer() []byte {
	var extension cfn.Extension = v.resource()
	if v.Kind == "hook" {
		extension = v.hook()
	}
	if v.Entrypoint == "test" {
		return extension.AnswerTest(context.Background(), v.Request)
	}
	return extension.Answer(context.Background(), v.Request)
}

func (v *vector) resource() *cfn.Resource[Model, Configuration] {
	handle := func(_ context.Context, request *cfn.Request[Model, Configuration]) (*cfn.Event[Model], error) {
		return behave(v.Handler, call[Model]{
			isList:    request.Action == cfn.ActionList,
			model:     request.DesiredState,
			nextToken: request.NextToken,
			context:   request.CallbackContext,
			secret:    v.Secret,
			name:      cfn.Value(request.DesiredState.Name),
			seen:      seenByResource(request),
			unfit:     &Model{Policy: map[string]any{"when": make(chan int)}},
		})
	}
	made := &cfn.Resource[Model, Configuration]{TypeName: "Acme::Store::Thing"}
	if v.Handler != "none" {
		made.Create, made.Read, made.Update, made.Delete, made.List = handle, handle, handle, handle, handle
	}
	return made
}

func (v *vector) hook() *cfn.Hook[Configuration] {
	handle := func(_ context.Context, request *cfn.HookRequest[Configuration]) (*cfn.HookEvent, error) {
		return behave(v.Handler, call[cfn.NoModel]{
			context: request.CallbackContext, secret: v.Secret, seen: seenByHook(request),
		})
	}
	made := &cfn.Hook[Configuration]{TypeName: "Acme::Store::Check"}
	if v.Handler != "none" {
		made.PreCreate, made.PreUpdate, made.PreDelete = handle, handle, handle
	}
	return made
}

func seenByResource(request *cfn.Request[Model, Configuration]) map[string]any {
	return map[string]any{
		"clientRequestToken":        request.ClientRequestToken,
		"desired":                   request.DesiredState,
		"previous":                  request.PreviousState,
		"desiredResourceTags":       request.DesiredTags,
		"previousResourceTags":      request.PreviousTags,
		"systemTags":                request.SystemTags,
		"previousSystemTags":        request.PreviousSystemTags,
		"awsAccountId":              orNull(request.AccountID),
		"logicalResourceIdentifier": orNull(request.LogicalID),
		"typeConfiguration":         request.TypeConfiguration,
		"nextToken":                 orNull(request.NextToken),
		"region":                    orNull(request.Region),
		"awsPartition":              orNull(request.Partition),
		"stackId":                   orNull(request.StackID),
		"callbackContext":           request.CallbackContext,
		"session":                   request.Credentials != nil,
	}
}

func seenByHook(request *cfn.HookRequest[Configuration]) map[string]any {
	return map[string]any{
		"clientRequestToken": request.ClientRequestToken,
		"awsAccountId":       request.AccountID,
		"stackId":            request.StackID,
		"changeSetId":        orNull(request.ChangeSetID),
		"hookTypeName":       request.HookTypeName,
		"hookTypeVersion":    request.HookTypeVersion,
		"invocationPoint":    request.InvocationPoint,
		"targetName":         request.TargetName,
		"targetType":         request.TargetType,
		"targetLogicalId":    request.TargetLogicalID,
		"targetModel":        request.TargetModel,
		"typeConfiguration":  request.TypeConfiguration,
		"callbackContext":    request.CallbackContext,
		"session":            request.Credentials != nil,
	}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// pythonic is JSON with ": " and ", " between, as the vectors have it.
func pythonic(value any) (string, error) {
	text, err := cfn.Marshal(value)
	if err != nil {
		return "", err
	}
	var spaced strings.Builder
	inText, escaped := false, false
	for _, each := range string(text) {
		spaced.WriteRune(each)
		switch {
		case escaped:
			escaped = false
		case inText && each == '\\':
			escaped = true
		case each == '"':
			inText = !inText
		case !inText && (each == ',' || each == ':'):
			spaced.WriteRune(' ')
		}
	}
	return spaced.String(), nil
}
