package cfn

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

const envelope = `{"action":"CREATE","awsAccountId":"123456789012","region":"eu-west-1","bearerToken":"t",
	"requestData":{"callerCredentials":{"accessKeyId":"AKIDEXAMPLE","secretAccessKey":"canary-secret","sessionToken":"x"},
	"resourceProperties":{"Text":"n","Secret":"canary-write-only"}}}`

type response struct {
	Status    Status         `json:"status"`
	ErrorCode ErrorCode      `json:"errorCode"`
	Message   string         `json:"message"`
	Model     map[string]any `json:"resourceModel"`
	Models    []any          `json:"resourceModels"`
}

// answered is what a create handler's answer becomes, and the log.
func answered(t *testing.T, handler Handler[every, NoConfiguration]) (response, string) {
	t.Helper()
	var lines bytes.Buffer
	log.SetOutput(&lines)
	defer log.SetOutput(os.Stderr)
	resource := &Resource[every, NoConfiguration]{TypeName: "A::B::C", Create: handler}
	var found response
	if err := json.Unmarshal(resource.Answer(t.Context(), []byte(envelope)), &found); err != nil {
		t.Fatal(err)
	}
	return found, lines.String()
}

func TestTheTestEntryPointReadsTheEnvelopeToo(t *testing.T) {
	resource := &Resource[every, NoConfiguration]{
		TypeName: "A::B::C",
		Create: func(_ context.Context, request *Request[every, NoConfiguration]) (*Event[every], error) {
			return Success(request.DesiredState), nil
		},
	}
	whole, tested := resource.Answer(t.Context(), []byte(envelope)), resource.AnswerTest(t.Context(), []byte(envelope))
	if !bytes.Equal(whole, tested) || !bytes.Contains(tested, []byte("SUCCESS")) {
		t.Error(string(tested))
	}
}

func TestPanicsAreFailuresWithATraceInTheLog(t *testing.T) {
	found, lines := answered(t, func(context.Context, *Request[every, NoConfiguration]) (*Event[every], error) {
		panic("canary-write-only is wrong")
	})
	if found.ErrorCode != CodeInternalFailure || found.Message != "panic: ******** is wrong" {
		t.Error(found)
	}
	if !strings.Contains(lines, "answer_test.go") || strings.Contains(lines, "canary") {
		t.Error(lines)
	}
	found, _ = answered(t, func(context.Context, *Request[every, NoConfiguration]) (*Event[every], error) {
		panic(NotFound("A::B::C", "n"))
	})
	if found.ErrorCode != CodeNotFound {
		t.Error(found)
	}
}

func TestSecretsAreMaskedInMessages(t *testing.T) {
	found, lines := answered(t, func(_ context.Context, r *Request[every, NoConfiguration]) (*Event[every], error) {
		return nil, fmt.Errorf("%s and %s", r.Credentials.SecretAccessKey, *r.DesiredState.Secret)
	})
	if found.Message != "******** and ********" || strings.Contains(lines, "canary") {
		t.Error(found, lines)
	}
	if text := fmt.Sprintf("%v %+v %#v", &Credentials{"a", "canary", "c"}, &Credentials{"a", "canary", "c"},
		&Credentials{"a", "canary", "c"}); strings.Contains(text, "canary") {
		t.Error(text)
	}
}

func TestAnswersThatAreNoEvents(t *testing.T) {
	for _, event := range []*Event[every]{nil, {}, {Status: "DONE"}} {
		found, _ := answered(t, func(context.Context, *Request[every, NoConfiguration]) (*Event[every], error) {
			return event, nil
		})
		if found.ErrorCode != CodeInternalFailure || !strings.Contains(found.Message, "CREATE") {
			t.Error(found)
		}
	}
}

func TestAListOfNothingIsAnEmptyList(t *testing.T) {
	list := func(context.Context, *Request[every, NoConfiguration]) (*Event[every], error) {
		return SuccessList[every](nil, ""), nil
	}
	resource := &Resource[every, NoConfiguration]{List: list}
	text := resource.Answer(t.Context(), []byte(strings.Replace(envelope, "CREATE", "LIST", 1)))
	if !strings.Contains(string(text), `"resourceModels":[]`) {
		t.Error(string(text))
	}
}

func TestRequestsThatAreNoJSON(t *testing.T) {
	resource := &Resource[every, NoConfiguration]{}
	hook := &Hook[NoConfiguration]{}
	for _, payload := range []string{"", "null", "[]", "5", "{", "{}{}", `{"action":5}`} {
		for _, extension := range []Extension{resource, hook} {
			for _, text := range [][]byte{extension.Answer(t.Context(), []byte(payload)), extension.AnswerTest(t.Context(), []byte(payload))} {
				if !strings.Contains(string(text), `"errorCode":"InvalidRequest"`) {
					t.Errorf("%s: %s", payload, text)
				}
			}
		}
	}
}

// FuzzRequests: whatever comes is answered with an event.
func FuzzRequests(f *testing.F) {
	f.Add([]byte(envelope))
	f.Add([]byte(`{"__COMPRESSED__":"H4sI","__COMPRESSION_METHOD__":"gzip_base64"}`))
	f.Add([]byte(`{"actionInvocationPoint":"CREATE_PRE_PROVISION","requestData":{"targetName":"x"},"clientRequestToken":"t"}`))
	log.SetOutput(&bytes.Buffer{})
	echo := func(_ context.Context, r *Request[every, NoConfiguration]) (*Event[every], error) {
		return Success(r.DesiredState), nil
	}
	resource := &Resource[every, NoConfiguration]{Create: echo, Read: echo, Update: echo, Delete: echo, List: echo}
	hook := &Hook[every]{}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if bytes.Contains(payload, []byte("payload")) {
			return // would be fetched
		}
		for _, text := range [][]byte{
			resource.Answer(t.Context(), payload), resource.AnswerTest(t.Context(), payload),
			hook.Answer(t.Context(), payload), hook.AnswerTest(t.Context(), payload),
		} {
			if !json.Valid(text) || !bytes.Contains(text, []byte(`tatus":"`)) {
				t.Fatalf("%q was answered %q", payload, text)
			}
		}
	})
}

func TestErrorsOfTheSDKs(t *testing.T) {
	for _, each := range []struct {
		err  error
		code ErrorCode
	}{
		{&sdkError{"ThrottlingException", 400}, CodeThrottling},
		{fmt.Errorf("operation error S3: %w", &sdkError{"NoSuchBucket", 404}), CodeNotFound},
		{&sdkError{"QueueDoesNotExist", 400}, CodeNotFound},
		{&sdkError{"Unheard", 500}, CodeServiceInternalError},
		{&sdkError{"Unheard", 0}, CodeGeneralServiceException},
		{&sdkError{"404", 404}, CodeNotFound},
		{&sdkErrorV1{"AccessDeniedException"}, CodeAccessDenied},
		{&sdkErrorV1{"NoCredentialProviders"}, CodeInvalidCredentials},
		{&net.OpError{Op: "dial", Err: errors.New("refused")}, CodeNetworkFailure},
		{errors.New("boom"), ""},
		{nil, ""},
	} {
		if code := CodeOf(each.err); code != each.code {
			t.Errorf("%v: %s, expected %s", each.err, code, each.code)
		}
	}
}

type sdkError struct {
	code   string
	status int
}

func (e *sdkError) Error() string       { return e.code }
func (e *sdkError) ErrorCode() string   { return e.code }
func (e *sdkError) HTTPStatusCode() int { return e.status }

type sdkErrorV1 struct{ code string }

func (e *sdkErrorV1) Error() string   { return e.code }
func (e *sdkErrorV1) Code() string    { return e.code }
func (e *sdkErrorV1) OrigErr() error  { return nil }
func (e *sdkErrorV1) StatusCode() int { return 400 }

func TestIdentifiers(t *testing.T) {
	for _, each := range []struct {
		stack, logical, token string
		length                int
		name                  string
	}{
		{"arn:aws:cloudformation:us-east-1:123456789012:stack/sample-stack/084c0bd1", "MyResource", "token", 40, ""},
		{"--lead", "MyRes", "tok", 60, "lead-MyRes-79bead8e6d65"},
		{"", "", "", 20, "da39a3ee5e6b"},
	} {
		name, err := GenerateIdentifier(each.stack, each.logical, each.token, each.length)
		if err != nil || len(name) > each.length || (each.name != "" && name != each.name) {
			t.Errorf("%v: %s, %v", each, name, err)
		}
	}
	if _, err := GenerateIdentifier("s", "l", "t", 14); err == nil {
		t.Error("too short a name")
	}
}

func TestPayloadsAreFetched(t *testing.T) {
	waited := 0
	pause = func(context.Context, time.Duration) { waited++ }
	answers := []int{503, 200}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := answers[0]
		if len(answers) > 1 {
			answers = answers[1:]
		}
		w.WriteHeader(status)
		fmt.Fprint(w, `{"Template":{}}`)
	}))
	defer server.Close()
	fetched, err := fetchPayload(t.Context(), server.URL+"/?X-Amz-Signature=canary")
	if err != nil || fetched["Template"] == nil || waited != 1 {
		t.Error(fetched, err, waited)
	}
	for _, status := range []int{403, 404, 500} {
		answers = []int{status}
		if _, err := fetchPayload(t.Context(), server.URL+"/?X-Amz-Signature=canary"); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprint(status)) || strings.Contains(err.Error(), "canary") {
			t.Error(status, err)
		}
	}
	address := server.URL
	server.Close()
	if _, err := fetchPayload(t.Context(), address+"/?X-Amz-Signature=canary"); err == nil || strings.Contains(err.Error(), "canary") {
		t.Error(err)
	}
}

func TestTheRuntimeAPIIsServed(t *testing.T) {
	asked, answers := 0, make(chan string, 2)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method == http.MethodGet && asked == 0:
			asked++
			w.Header().Set("Lambda-Runtime-Aws-Request-Id", "id-1")
			w.Header().Set("Lambda-Runtime-Deadline-Ms", fmt.Sprint(time.Now().Add(time.Hour).UnixMilli()))
			w.Header().Set("Lambda-Runtime-Trace-Id", "Root=1")
			fmt.Fprint(w, `{"hello":1}`)
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusGone)
		default:
			var body bytes.Buffer
			_, _ = body.ReadFrom(r.Body)
			answers <- r.URL.Path + " " + body.String()
			w.WriteHeader(http.StatusAccepted)
		}
	}))
	defer server.Close()
	err := newRuntimeAPI(strings.TrimPrefix(server.URL, "http://")).serve(func(ctx context.Context, payload []byte) []byte {
		if _, limited := ctx.Deadline(); !limited || string(payload) != `{"hello":1}` {
			t.Error(string(payload))
		}
		return []byte(`{"status":"SUCCESS"}`)
	})
	if err == nil || !strings.Contains(err.Error(), "410") {
		t.Error(err)
	}
	if answer := <-answers; answer != `/2018-06-01/runtime/invocation/id-1/response {"status":"SUCCESS"}` {
		t.Error(answer)
	}
	if os.Getenv("_X_AMZN_TRACE_ID") != "Root=1" {
		t.Error("no trace id")
	}
}
