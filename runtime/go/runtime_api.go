package cfn

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

const apiVersion = "2018-06-01"

// invocation is one event of Lambda's.
type invocation struct {
	id       string
	payload  []byte
	deadline time.Time
	traceID  string
}

// runtimeAPI is Lambda's Runtime API towards this process: it gives one event after the other, each to be answered.
type runtimeAPI struct {
	base   string
	client *http.Client
}

func newRuntimeAPI(address string) *runtimeAPI {
	// Waiting for the next event takes as long as it takes; the process may be frozen meanwhile.
	transport := &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 1}
	return &runtimeAPI{fmt.Sprintf("http://%s/%s/runtime/", address, apiVersion), &http.Client{Transport: transport}}
}

// serve answers events until Lambda ends the process; it returns the error that ended it.
func (r *runtimeAPI) serve(answer func(context.Context, []byte) []byte) error {
	for {
		event, err := r.next()
		if err != nil {
			return err
		}
		if err := r.answer(event, answer); err != nil {
			return err
		}
	}
}

func (r *runtimeAPI) answer(event *invocation, answer func(context.Context, []byte) []byte) error {
	ctx, cancel := context.WithDeadline(context.Background(), event.deadline)
	defer cancel()
	os.Setenv("_X_AMZN_TRACE_ID", event.traceID) // where tracing libraries look for it
	return r.post("invocation/"+event.id+"/response", answer(ctx, event.payload))
}

func (r *runtimeAPI) next() (*invocation, error) {
	response, err := r.client.Get(r.base + "invocation/next")
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	payload, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the Runtime API answered HTTP status %d: %s", response.StatusCode, payload)
	}
	milliseconds, err := strconv.ParseInt(response.Header.Get("Lambda-Runtime-Deadline-Ms"), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the Runtime API gave an event without a deadline: %w", err)
	}
	return &invocation{
		id:       response.Header.Get("Lambda-Runtime-Aws-Request-Id"),
		payload:  payload,
		deadline: time.UnixMilli(milliseconds),
		traceID:  response.Header.Get("Lambda-Runtime-Trace-Id"),
	}, nil
}

func (r *runtimeAPI) post(path string, body []byte) error {
	response, err := r.client.Post(r.base+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body) // read to the end, so that the connection is used again
	switch response.StatusCode {
	case http.StatusAccepted, http.StatusRequestEntityTooLarge: // Lambda has told the caller
		return nil
	default:
		return fmt.Errorf("the Runtime API answered HTTP status %d: %s", response.StatusCode, text)
	}
}
