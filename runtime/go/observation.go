package cfn

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// observation is what the provider of an extension sees of one invocation: its log and its metrics. Both need the
// provider's credentials in the request; without them it is nil and does nothing. Nothing that goes wrong here reaches
// the request.
type observation struct {
	asked    observed
	provider *provider
	log      *delivery // nil where the request names no log group
	started  time.Time
}

// observed says which invocation it is; account is "" for a resource, and a hook's metrics have it in their namespace.
type observed struct{ asked, typeName, account, region, stream, token string }

func observationOf(data members, asked observed, redact *redaction) *observation {
	found, err := data.credentials("providerCredentials")
	if err != nil {
		log.Print("The log and the metrics are not delivered: ", err)
	}
	if found == nil {
		return nil
	}
	redact.add(found.secrets()...)
	if asked.region == "" {
		asked.region = os.Getenv("AWS_REGION")
	}
	made := &observation{asked: asked, provider: &provider{found, asked.region}}
	if group := data.text("providerLogGroupName"); group != "" {
		token := &redaction{}
		token.add(asked.token)
		made.log = &delivery{
			provider: made.provider,
			stream:   logStream{Group: group, Stream: strings.ReplaceAll(asked.stream, ":", "__")},
			redact:   func(text string) string { return token.text(redact.text(text)) },
			sent:     time.Now(),
		}
	}
	return made
}

// begin turns what the log package writes (and log/slog, which writes to it) to the provider. On a developer's machine
// it is seen there too; elsewhere the platform's own log is not the provider's.
func (o *observation) begin() {
	if o == nil {
		return
	}
	o.started = time.Now()
	if o.log == nil {
		return
	}
	var output io.Writer = o.log
	if os.Getenv("AWS_SAM_LOCAL") != "" {
		output = io.MultiWriter(os.Stderr, o.log)
	}
	log.SetOutput(output)
}

// end delivers the rest of the log, and the metrics.
func (o *observation) end(_ context.Context, failure error) {
	if o == nil {
		return
	}
	spent := time.Since(o.started)
	data := &metricData{form: url.Values{}, asked: o.asked}
	data.add("HandlerInvocationCount", "Count", 1, o.asked.asked, "")
	data.add("HandlerInvocationDuration", "Milliseconds", float64(spent.Microseconds())/1000, o.asked.asked, "")
	if failure != nil {
		data.add("HandlerException", "Count", 1, o.asked.asked, exceptionType(failure))
	}
	if o.log != nil {
		log.SetOutput(os.Stderr)
		o.log.flush()
		if o.log.failed != nil {
			data.add("HandlerException", "Count", 1, "ProviderLogDelivery", exceptionType(o.log.failed))
		}
	}
	if err := o.provider.metrics(data.form); err != nil {
		fmt.Fprintf(os.Stderr, "The metrics were not delivered: %T\n", err)
	}
}

// exceptionType is the error's code, or its type in Go.
func exceptionType(err error) string {
	if code := CodeOf(err); code != "" {
		return string(code)
	}
	return fmt.Sprintf("%T", err)
}

// metricData are the data of one invocation, as PutMetricData takes them. Names of metrics and dimensions are those of
// the published runtimes.
type metricData struct {
	form  url.Values
	asked observed
	count int
}

func (m *metricData) add(metric, unit string, value float64, asked, exception string) {
	m.count++
	namespace, of, kind := "AWS/CloudFormation/", "ActionType", "ResourceType"
	if m.asked.account != "" {
		namespace, of, kind = namespace+m.asked.account+"/", "InvocationPointType", "HookType"
	}
	m.form.Set("Namespace", namespace+strings.ReplaceAll(m.asked.typeName, "::", "/"))
	prefix := fmt.Sprintf("MetricData.member.%d.", m.count)
	m.form.Set(prefix+"MetricName", metric)
	m.form.Set(prefix+"Unit", unit)
	m.form.Set(prefix+"Value", strconv.FormatFloat(value, 'g', -1, 64))
	m.form.Set(prefix+"Timestamp", time.Now().UTC().Format(time.RFC3339))
	dimensions := [][2]string{{of, asked}, {kind, m.asked.typeName}, {"ExceptionType", exception}}
	number := 0
	for _, each := range dimensions {
		if each[1] == "" {
			continue
		}
		number++
		place := fmt.Sprintf("%sDimensions.member.%d.", prefix, number)
		m.form.Set(place+"Name", "DimensionKey"+each[0])
		m.form.Set(place+"Value", each[1])
	}
}
