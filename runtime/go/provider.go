package cfn

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

// What observes a request must not use up its time.
var providerClient = &http.Client{Timeout: 3 * time.Second}

var suffixes = map[string]string{
	"aws": "amazonaws.com", "aws-us-gov": "amazonaws.com", "aws-cn": "amazonaws.com.cn", "aws-iso": "c2s.ic.gov",
	"aws-iso-b": "sc2s.sgov.gov", "aws-iso-e": "cloud.adc-e.uk", "aws-iso-f": "csp.hci.ic.gov", "aws-eusc": "amazonaws.eu",
}

// provider calls AWS in the account of the extension's provider.
type provider struct {
	credentials *Credentials
	region      string
}

// providerError is what a service answered; its code is the service's own.
type providerError struct {
	code   string
	status int
}

func (e *providerError) Error() string       { return fmt.Sprintf("%s (HTTP status %d)", e.code, e.status) }
func (e *providerError) ErrorCode() string   { return e.code }
func (e *providerError) HTTPStatusCode() int { return e.status }

// logs calls an operation of CloudWatch Logs.
func (p *provider) logs(operation string, input any) error {
	body, err := Marshal(input)
	if err != nil {
		return err
	}
	return p.call("logs", "CLOUDWATCH_LOGS", body, map[string]string{
		"Content-Type": "application/x-amz-json-1.1", "X-Amz-Target": "Logs_20140328." + operation,
	})
}

// metrics calls CloudWatch's PutMetricData.
func (p *provider) metrics(form url.Values) error {
	form.Set("Action", "PutMetricData")
	form.Set("Version", "2010-08-01")
	return p.call("monitoring", "CLOUDWATCH", []byte(form.Encode()), map[string]string{
		"Content-Type": "application/x-www-form-urlencoded; charset=utf-8",
	})
}

func (p *provider) call(service, variable string, body []byte, headers map[string]string) error {
	request, err := http.NewRequest(http.MethodPost, p.endpoint(service, variable), bytes.NewReader(body))
	if err != nil {
		return err
	}
	for name, value := range headers {
		request.Header.Set(name, value)
	}
	sign(request, body, service, p.region, p.credentials, time.Now())
	response, err := providerClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err == nil && response.StatusCode != http.StatusOK {
		var answer struct {
			Type string `json:"__type"`
		}
		_ = json.Unmarshal(text, &answer) // metrics are answered in XML, whose code is not needed
		err = &providerError{answer.Type[strings.LastIndex(answer.Type, "#")+1:], response.StatusCode}
	}
	return err
}

// endpoint is the service's, or the one that the environment names as the AWS SDKs read it.
func (p *provider) endpoint(service, variable string) string {
	for _, name := range []string{"AWS_ENDPOINT_URL_" + variable, "AWS_ENDPOINT_URL"} {
		if address := os.Getenv(name); address != "" {
			return strings.TrimRight(address, "/") + "/"
		}
	}
	return fmt.Sprintf("https://%s.%s.%s/", service, p.region, suffixes[partitionOf(p.region)])
}
