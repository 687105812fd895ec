// Package resource has handlers that repeat everything they were given, as Go writes it; `Mode` says how an action fails.
package resource

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/url"
	"os"
	"strings"
	"time"

	"$import_path/internal/cfn"
)

func Create(_ context.Context, request *Request) (*Event, error) { return answer("create", request) }
func Read(_ context.Context, request *Request) (*Event, error)   { return answer("read", request) }
func Update(_ context.Context, request *Request) (*Event, error) { return answer("update", request) }
func Delete(_ context.Context, request *Request) (*Event, error) { return answer("delete", request) }
func List(_ context.Context, request *Request) (*Event, error)   { return answer("list", request) }

func leaves(value any) []string {
	var found []string
	switch each := value.(type) {
	case map[string]any:
		for _, inner := range each {
			found = append(found, leaves(inner)...)
		}
	case []any:
		for _, inner := range each {
			found = append(found, leaves(inner)...)
		}
	case nil:
	default:
		found = append(found, fmt.Sprint(each))
	}
	return found
}

func forms(text string) []string {
	marshalled, _ := json.Marshal(text)
	twice, _ := json.Marshal(string(marshalled))
	found := []string{
		"<" + text + ">", string(marshalled), string(twice), fmt.Sprintf("%q", text), fmt.Sprintf("%+q", text),
		fmt.Sprintf("%#v", map[string]any{"inner": text}), html.EscapeString(text), url.QueryEscape(text),
		url.PathEscape(text), hex.EncodeToString([]byte(text)), fmt.Sprintf("%X", text), "\x1b[31m" + text + "\x1b[0m",
	}
	for before := range 3 {
		shifted := []byte(strings.Repeat("x", before) + text + "y")
		found = append(found, base64.StdEncoding.EncodeToString(shifted), base64.RawURLEncoding.EncodeToString(shifted))
	}
	return found
}

func tell(known ...any) string {
	text, err := json.Marshal(known)
	if err != nil {
		panic(err)
	}
	var tree any
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if err := decoder.Decode(&tree); err != nil {
		panic(err)
	}
	whole := string(text)
	lines := []string{whole, fmt.Sprintf("%+v", tree), fmt.Sprintf("%#v", tree), url.QueryEscape(whole),
		base64.StdEncoding.EncodeToString(text)}
	for _, each := range leaves(tree) {
		if !strings.HasPrefix(each, "arn:") {
			lines = append(lines, forms(each)...)
		}
	}
	return strings.Join(lines, "\n")
}

// written is a model as the wire has it, whatever hides it from logs.
func written(model any) json.RawMessage {
	text, err := cfn.Marshal(model)
	if err != nil {
		panic(err)
	}
	return json.RawMessage(text)
}

func answer(verb string, request *Request) (*Event, error) {
	desired := request.DesiredState
	_, secret, token := request.Credentials.Keys()
	keys := []string{secret, token, os.Getenv("AWS_SECRET_ACCESS_KEY"), os.Getenv("AWS_SESSION_TOKEN")}
	told := tell(written(desired), written(request.PreviousState), written(request.TypeConfiguration), keys)
	fmt.Println(told)
	fmt.Fprintf(os.Stderr, "%s\n%+v\n%#v\n", told, *request, desired)
	password := cfn.Value(desired.Password)
	if how, when, _ := strings.Cut(cfn.Value(desired.Mode), "-"); when == verb {
		switch {
		case how == "raise":
			return nil, fmt.Errorf("cannot %s %s: %w", verb, told, errors.New(password))
		case how == "panic":
			panic(told)
		case how == "crash":
			go panic(told)
			time.Sleep(time.Minute)
		case how == "code":
			return &Event{Status: cfn.StatusFailed, ErrorCode: cfn.ErrorCode(password), Message: told}, nil
		case how == "wait" && len(request.CallbackContext) == 0:
			context := cfn.CallbackContext{"told": told, "key": map[string]any{password: 1}}
			return &Event{Status: cfn.StatusInProgress, ResourceModel: desired, CallbackContext: context, Message: told}, nil
		case how == "fail":
			return &Event{Status: cfn.StatusFailed, ErrorCode: cfn.CodeInvalidRequest, ResourceModel: desired, Message: told}, nil
		}
	}
	event := &Event{Status: cfn.StatusSuccess, Message: told}
	if verb == "create" || verb == "read" || verb == "update" {
		event.ResourceModel = &Model{Name: desired.Name, Mode: desired.Mode, Label: desired.Label}
	}
	return event, nil
}
