package cfn

import (
	"fmt"
	"os"
	"strings"
	"time"
)

const (
	// PutLogEvents takes 10,000 events and 1,048,576 bytes a batch, each event's text plus 26 bytes, 256 KB an event.
	batchBytes    = 1_000_000
	batchEvents   = 1_000
	eventOverhead = 26
	eventBytes    = 200_000
	interval      = time.Second
)

type logEvent struct {
	Timestamp int64  `json:"timestamp"`
	Message   string `json:"message"`
}

type logStream struct {
	Group  string     `json:"logGroupName"`
	Stream string     `json:"logStreamName,omitzero"`
	Events []logEvent `json:"logEvents,omitzero"`
}

// delivery sends what is logged to one stream of the provider's log group, which is made where it does not exist.
// Delivering never fails a request and never takes long: the first failure ends it.
type delivery struct {
	provider *provider
	stream   logStream
	redact   func(string) string
	batch    []logEvent
	bytes    int
	sent     time.Time
	failed   error
}

// Write takes one line of the log package's.
func (d *delivery) Write(line []byte) (int, error) {
	text := strings.TrimRight(d.redact(string(line)), "\n")
	if text == "" || d.failed != nil {
		return len(line), nil // PutLogEvents refuses empty ones
	}
	text = text[:min(len(text), eventBytes)]
	now := time.Now()
	if d.bytes+len(text)+eventOverhead > batchBytes || len(d.batch) == batchEvents || now.Sub(d.sent) > interval {
		d.flush()
	}
	d.batch = append(d.batch, logEvent{now.UnixMilli(), strings.ToValidUTF8(text, "\uFFFD")})
	d.bytes += len(text) + eventOverhead
	return len(line), nil
}

// flush sends what has been taken.
func (d *delivery) flush() {
	if len(d.batch) == 0 || d.failed != nil {
		return
	}
	input := d.stream
	input.Events, d.batch, d.bytes = d.batch, nil, 0
	err := d.provider.logs("PutLogEvents", input)
	if ServiceCode(err) == "ResourceNotFoundException" {
		if err = d.create(); err == nil {
			err = d.provider.logs("PutLogEvents", input)
		}
	}
	d.sent, d.failed = time.Now(), err
	if err != nil {
		fmt.Fprintln(os.Stderr, "The log was not delivered:", d.redact(err.Error()))
	}
}

func (d *delivery) create() error {
	group, stream := logStream{Group: d.stream.Group}, logStream{Group: d.stream.Group, Stream: d.stream.Stream}
	// Only the stream may be missing, and another invocation may be faster.
	if err := d.provider.logs("CreateLogGroup", group); err != nil && ServiceCode(err) != alreadyThere {
		return err
	}
	if err := d.provider.logs("CreateLogStream", stream); err != nil && ServiceCode(err) != alreadyThere {
		return err
	}
	return nil
}

const alreadyThere = "ResourceAlreadyExistsException"
