// Package sdk holds the library to the AWS SDK for Go, version 2, which it does not depend on.
package sdk

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/sts"

	"formwork/cfn"
	"formwork/cfn/chain"
)

func client(t *testing.T, answer http.HandlerFunc) *sts.Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	request := &cfn.Request[struct{}, cfn.NoConfiguration]{
		Region:      "eu-west-1",
		Credentials: &cfn.Credentials{AccessKeyID: "AKIDEXAMPLE", SecretAccessKey: "secret", SessionToken: "token"},
	}
	return sts.NewFromConfig(aws.Config{
		Region:       request.Region,
		Credentials:  credentials.NewStaticCredentialsProvider(request.Credentials.Keys()),
		BaseEndpoint: aws.String(server.URL),
		Retryer:      func() aws.Retryer { return aws.NopRetryer{} },
	})
}

func TestCredentialsAreTaken(t *testing.T) {
	found, err := client(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-Amz-Security-Token") != "token" {
			t.Error(r.Header)
		}
		fmt.Fprint(w, `<GetCallerIdentityResponse><GetCallerIdentityResult><Account>1</Account></GetCallerIdentityResult></GetCallerIdentityResponse>`)
	}).GetCallerIdentity(t.Context(), nil)
	if err != nil || aws.ToString(found.Account) != "1" {
		t.Error(found, err)
	}
}

func TestErrorsAreTranslated(t *testing.T) {
	for _, each := range []struct {
		status int
		code   string
		means  cfn.ErrorCode
	}{
		{400, "Throttling", cfn.CodeThrottling},
		{400, "NoSuchEntity", cfn.CodeNotFound},
		{403, "AccessDenied", cfn.CodeAccessDenied},
		{404, "Odd", cfn.CodeNotFound},
		{500, "Odd", cfn.CodeServiceInternalError},
	} {
		_, err := client(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(each.status)
			fmt.Fprintf(w, `<ErrorResponse><Error><Code>%s</Code><Message>m</Message></Error></ErrorResponse>`, each.code)
		}).GetCallerIdentity(t.Context(), nil)
		if cfn.CodeOf(err) != each.means || cfn.ServiceCode(err) != each.code || cfn.HTTPStatus(err) != each.status {
			t.Errorf("%s: %s, %d: %v", cfn.CodeOf(err), cfn.ServiceCode(err), cfn.HTTPStatus(err), err)
		}
	}
	unreachable := sts.NewFromConfig(aws.Config{
		Region: "eu-west-1", Credentials: credentials.NewStaticCredentialsProvider("a", "b", ""),
		BaseEndpoint: aws.String("http://127.0.0.1:1"), Retryer: func() aws.Retryer { return aws.NopRetryer{} },
	})
	if _, err := unreachable.GetCallerIdentity(t.Context(), nil); cfn.CodeOf(err) != cfn.CodeNetworkFailure {
		t.Errorf("%s: %v", cfn.CodeOf(err), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := unreachable.GetCallerIdentity(ctx, nil); err == nil || errors.Is(err, chain.Retry) {
		t.Error(err)
	}
}

func TestResponsesAreRemembered(t *testing.T) {
	type model struct{}
	steps := chain.New(t.Context(), &model{}, cfn.CallbackContext{})
	event, err := chain.Call(steps, "who", func(context.Context) (*sts.GetCallerIdentityOutput, error) {
		return &sts.GetCallerIdentityOutput{Account: aws.String("1")}, nil
	}).Done(func(_ context.Context, step *chain.Step[model, *sts.GetCallerIdentityOutput]) (*cfn.Event[model], error) {
		if aws.ToString(step.Response.Account) != "1" {
			t.Error(step.Response)
		}
		return cfn.Success(step.Model), nil
	}).Answer()
	if err != nil || event.Status != cfn.StatusSuccess {
		t.Error(event, err)
	}
}
