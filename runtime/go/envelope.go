package cfn

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

const (
	compressed        = "__COMPRESSED__"
	compressionMethod = "__COMPRESSION_METHOD__"
	// Lambda's payload limit is 6 MB; a document that unpacks to more than ten times that is a bomb, not a request.
	unpackedLimit = 64 << 20
)

// members is one object of a request and its place in it, read member by member; unknown ones are ignored.
type members struct {
	value map[string]any
	place string
}

func asMembers(value any, place string) (members, error) {
	object, is := value.(map[string]any)
	if !is {
		named := place
		if named == "" {
			named = "the request"
		}
		return members{}, badEnvelope("%s must be a JSON object, not %s", named, strings.TrimPrefix(kindOf(value), "a "))
	}
	return members{object, place}, nil
}

func (m members) placeOf(name string) string {
	if m.place == "" {
		return name
	}
	return m.place + "." + name
}

// required is a text that must be there.
func (m members) required(name string) (string, error) {
	if text, is := m.value[name].(string); is && text != "" {
		return text, nil
	}
	return "", badEnvelope("the request lacks %s", m.placeOf(name))
}

// text is "" where the member is absent or no scalar.
func (m members) text(name string) string {
	switch value := m.value[name].(type) {
	case string:
		return value
	case json.Number:
		return value.String()
	default:
		return ""
	}
}

// members is an object that must be there.
func (m members) members(name string) (members, error) {
	if m.value[name] == nil {
		return members{}, badEnvelope("the request lacks %s", m.placeOf(name))
	}
	return asMembers(m.value[name], m.placeOf(name))
}

// object is a free object, nil where it is absent or null.
func (m members) object(name string) (map[string]any, error) {
	if m.value[name] == nil {
		return nil, nil
	}
	found, err := asMembers(m.value[name], m.placeOf(name))
	return found.value, err
}

// tags is an object of texts, nil where it is absent or null.
func (m members) tags(name string) (map[string]string, error) {
	if m.value[name] == nil {
		return nil, nil
	}
	var tags map[string]string
	if err := readInto(&tags, m.value[name]); err != nil {
		return nil, badEnvelope("%s: %s", m.placeOf(name), err)
	}
	return tags, nil
}

func (m members) credentials(name string) (*Credentials, error) {
	return parseCredentials(m.value[name], m.placeOf(name))
}

// oneOf is a member of a vocabulary that must be there.
func oneOf[T ~string](m members, name string, vocabulary []T) (T, error) {
	text, err := m.required(name)
	if err == nil && !slices.Contains(vocabulary, T(text)) {
		known := make([]string, len(vocabulary))
		for i, each := range vocabulary {
			known[i] = string(each)
		}
		err = badEnvelope("%s is %q, which is none of %s", m.placeOf(name), text, strings.Join(known, ", "))
	}
	return T(text), err
}

// isEnveloped says whether a request has CloudFormation's envelope: AWS's `cfn test` sends it to TestEntrypoint, too.
func isEnveloped(payload []byte) bool {
	var event struct{ RequestData, Request json.RawMessage }
	return json.Unmarshal(payload, &event) == nil && event.RequestData != nil && event.Request == nil
}

// unpack reads a request, decompressed where the caller packed it.
func unpack(payload []byte) (members, error) {
	tree, err := parseJSON(payload)
	if err != nil {
		return members{}, badEnvelope("the request is not a JSON document: %s", err)
	}
	envelope, err := asMembers(tree, "")
	if err != nil || envelope.value[compressed] == nil {
		return envelope, err
	}
	if method := envelope.text(compressionMethod); method != "gzip_base64" {
		return members{}, badEnvelope("%s is %q; only gzip_base64 is known", compressionMethod, method)
	}
	packed, err := envelope.required(compressed)
	if err != nil {
		return members{}, err
	}
	tree, err = decompress(packed)
	if err != nil {
		return members{}, err
	}
	return asMembers(tree, "")
}

func decompress(packed string) (any, error) {
	wrong := badEnvelope("%s is not gzipped JSON in base64", compressed)
	data, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return nil, wrong
	}
	stream, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, wrong
	}
	text, err := io.ReadAll(io.LimitReader(stream, unpackedLimit+1))
	if err != nil {
		return nil, wrong
	}
	if len(text) > unpackedLimit {
		return nil, badEnvelope("%s unpacks to more than %d bytes", compressed, unpackedLimit)
	}
	tree, err := parseJSON(text)
	if err != nil {
		return nil, wrong
	}
	return tree, nil
}

// Regions of other partitions, by what their names begin with; longer ones first.
var partitions = [][2]string{
	{"cn-", "aws-cn"},
	{"us-gov-", "aws-us-gov"},
	{"us-isob-", "aws-iso-b"},
	{"us-isof-", "aws-iso-f"},
	{"us-iso-", "aws-iso"},
	{"eu-isoe-", "aws-iso-e"},
	{"eusc-", "aws-eusc"},
}

func partitionOf(region string) string {
	if region == "" {
		return ""
	}
	for _, each := range partitions {
		if strings.HasPrefix(region, each[0]) {
			return each[1]
		}
	}
	return "aws"
}
