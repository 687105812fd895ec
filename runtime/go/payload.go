package cfn

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"time"
)

const (
	payloadAttempts = 4
	payloadTimeout  = 5 * time.Second // with the pauses below the 30 seconds that a hook has
	payloadLimit    = 64 << 20
)

var retriedStatuses = []int{500, 502, 503, 504}

// transient is a failure that may be gone the next time.
type transient struct{ reason string }

func (t *transient) Error() string { return t.reason }

// pause waits between attempts, a time that tests shorten.
var pause = func(ctx context.Context, wait time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(wait):
	}
}

// fetchPayload is the JSON object at a presigned URL: the target of a stack's hook, too large for the request. Server
// errors and lost connections are tried again 1, 2 and 4 seconds apart. A target that is unavailable fails the request:
// a hook that judged an empty one instead would let everything pass. The error names the reason and never the URL,
// whose query is a credential.
func fetchPayload(ctx context.Context, address string) (map[string]any, error) {
	parsed, err := url.Parse(address)
	if err != nil || (parsed.Scheme != "https" && parsed.Scheme != "http") {
		return nil, badEnvelope("requestData.payload is not an http(s) URL")
	}
	reason := ""
	for attempt := range payloadAttempts {
		if attempt > 0 {
			pause(ctx, time.Second<<(attempt-1))
		}
		body, err := getPayload(ctx, address)
		var passing *transient
		if errors.As(err, &passing) {
			reason = passing.reason
			continue
		}
		if err != nil {
			return nil, err
		}
		return parsePayload(body)
	}
	return nil, badEnvelope("the target at requestData.payload could not be fetched: %s, %d times", reason, payloadAttempts)
}

func getPayload(ctx context.Context, address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, payloadTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, badEnvelope("requestData.payload is not an http(s) URL")
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		var cause *url.Error // its text has the URL in it
		if errors.As(err, &cause) {
			err = cause.Err
		}
		return nil, &transient{reflect.TypeOf(err).String()}
	}
	defer response.Body.Close()
	if slices.Contains(retriedStatuses, response.StatusCode) {
		return nil, &transient{fmt.Sprintf("HTTP status %d", response.StatusCode)}
	}
	if response.StatusCode != http.StatusOK {
		return nil, badEnvelope("the target at requestData.payload could not be fetched: HTTP status %d",
			response.StatusCode)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, payloadLimit+1))
	if err != nil {
		return nil, &transient{reflect.TypeOf(err).String()}
	}
	if len(body) > payloadLimit {
		return nil, badEnvelope("the target at requestData.payload is larger than %d bytes", payloadLimit)
	}
	return body, nil
}

func parsePayload(body []byte) (map[string]any, error) {
	tree, err := parseJSON(body)
	if err != nil {
		return nil, badEnvelope("the target at requestData.payload is not a JSON document")
	}
	object, is := tree.(map[string]any)
	if !is {
		return nil, badEnvelope("the target at requestData.payload is not a JSON object")
	}
	return object, nil
}
