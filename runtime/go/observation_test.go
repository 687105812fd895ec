package cfn

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"
)

func TestSignatures(t *testing.T) {
	// AWS's published test suite for signature version 4: get-vanilla and get-vanilla-query.
	keys := &Credentials{"AKIDEXAMPLE", "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY", ""}
	at := time.Date(2015, 8, 30, 12, 36, 0, 0, time.UTC)
	for address, signature := range map[string]string{
		"https://example.amazonaws.com/":                             "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
		"https://example.amazonaws.com/?Param2=value2&Param1=value1": "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
	} {
		request, _ := http.NewRequest(http.MethodGet, address, nil)
		sign(request, nil, "service", "us-east-1", keys, at)
		if !strings.HasSuffix(request.Header.Get("Authorization"), "Signature="+signature) {
			t.Error(request.Header.Get("Authorization"))
		}
	}
}

// cloud stands in for CloudWatch: it remembers what it was asked, and has no log group at first.
type cloud struct {
	operations []string
	bodies     []string
	made       bool
	broken     bool
}

func (c *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	c.operations, c.bodies = append(c.operations, operation), append(c.bodies, string(body))
	switch {
	case c.broken:
		w.WriteHeader(http.StatusInternalServerError)
	case operation == "CreateLogStream":
		c.made = true
	case operation == "PutLogEvents" && !c.made:
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"__type":"com.amazonaws#ResourceNotFoundException"}`)
	}
}

func observedAnswer(t *testing.T, c *cloud, handler Handler[every, NoConfiguration]) string {
	t.Helper()
	server := httptest.NewServer(c)
	defer server.Close()
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	resource := &Resource[every, NoConfiguration]{TypeName: "Acme::Store::Thing", Create: handler}
	request := strings.Replace(envelope, `"requestData":{`, `"stackId":"arn:stack/s/1","requestData":{
		"logicalResourceId":"L","providerLogGroupName":"acme-logs","providerCredentials":
		{"accessKeyId":"AKIDPROVIDER","secretAccessKey":"canary-provider","sessionToken":"t"},`, 1)
	request = strings.Replace(request, `"bearerToken":"t"`, `"bearerToken":"canary-token"`, 1)
	return string(resource.Answer(t.Context(), []byte(request)))
}

func TestTheProviderSeesTheLogAndTheMetrics(t *testing.T) {
	c := &cloud{}
	answer := observedAnswer(t, c, func(_ context.Context, r *Request[every, NoConfiguration]) (*Event[every], error) {
		log.Print("working with ", r.Credentials.SecretAccessKey, " and ", r.ClientRequestToken)
		return nil, errors.New("boom")
	})
	if !strings.Contains(answer, "boom") {
		t.Error(answer)
	}
	if asked := strings.Join(c.operations, " "); asked != "PutLogEvents CreateLogGroup CreateLogStream PutLogEvents " {
		t.Error(asked)
	}
	put := c.bodies[3]
	for _, part := range []string{`"logGroupName":"acme-logs"`, `"logStreamName":"arn__stack/s/1/L"`, "working with ********", "boom"} {
		if !strings.Contains(put, part) {
			t.Errorf("%s is not in %s", part, put)
		}
	}
	if strings.Contains(strings.Join(c.bodies, ""), "canary") {
		t.Error("secrets are delivered")
	}
	form, err := url.ParseQuery(c.bodies[4])
	if err != nil || form.Get("Namespace") != "AWS/CloudFormation/Acme/Store/Thing" ||
		form.Get("MetricData.member.3.MetricName") != "HandlerException" ||
		form.Get("MetricData.member.1.Dimensions.member.1.Value") != "CREATE" {
		t.Error(form, err)
	}
}

func TestAProviderThatCannotBeReachedHindersNothing(t *testing.T) {
	c := &cloud{broken: true}
	answer := observedAnswer(t, c, func(_ context.Context, r *Request[every, NoConfiguration]) (*Event[every], error) {
		log.Print("working")
		return Success(r.DesiredState), nil
	})
	if !strings.Contains(answer, `"status":"SUCCESS"`) || len(c.operations) != 2 {
		t.Error(answer, c.operations)
	}
	if !strings.Contains(c.bodies[1], "ProviderLogDelivery") {
		t.Error(c.bodies[1])
	}
}

func TestEndpointsOfPartitions(t *testing.T) {
	t.Setenv("AWS_ENDPOINT_URL", "")
	for region, address := range map[string]string{
		"eu-west-1":  "https://logs.eu-west-1.amazonaws.com/",
		"cn-north-1": "https://logs.cn-north-1.amazonaws.com.cn/",
	} {
		if found := (&provider{nil, region}).endpoint("logs", "CLOUDWATCH_LOGS"); found != address {
			t.Error(found)
		}
	}
}
