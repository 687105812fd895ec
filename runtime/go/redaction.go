package cfn

import (
	"reflect"
	"slices"
	"strings"
)

const (
	mask           = "********"
	shortestSecret = 8 // shorter ones are placeholders of tests, and masking every "t" makes a text unreadable
)

// redaction replaces the secrets of one request in texts: its credentials and its write-only values.
type redaction struct {
	secrets []string
	models  []any
}

func (r *redaction) add(secrets ...string) {
	for _, secret := range secrets {
		if len(secret) < shortestSecret {
			continue
		}
		r.secrets = append(r.secrets, secret)
		if encoded := percentEncoded.Replace(secret); encoded != secret {
			r.secrets = append(r.secrets, encoded)
		}
	}
	// A secret inside a longer one must not split it.
	slices.SortFunc(r.secrets, func(a, b string) int { return len(b) - len(a) })
}

var percentEncoded = strings.NewReplacer("+", "%2B", "/", "%2F", "=", "%3D") // as in signed URLs

// addWriteOnly masks the write-only values of models; they are looked up only when there is a text to mask.
func (r *redaction) addWriteOnly(models ...any) { r.models = append(r.models, models...) }

// text is the text with every secret masked.
func (r *redaction) text(text string) string {
	if text == "" {
		return text
	}
	for _, model := range r.models {
		walkWriteOnly(reflect.ValueOf(model), false, func(secret string) { r.add(secret) })
	}
	r.models = nil
	for _, secret := range r.secrets {
		text = strings.ReplaceAll(text, secret, mask)
	}
	return text
}

// walkWriteOnly finds the texts inside write-only properties; hidden says whether value is inside one already.
func walkWriteOnly(value reflect.Value, hidden bool, found func(string)) {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() {
			walkWriteOnly(value.Elem(), hidden, found)
		}
	case reflect.String:
		if hidden {
			found(value.String())
		}
	case reflect.Slice, reflect.Array:
		for i := range value.Len() {
			walkWriteOnly(value.Index(i), hidden, found)
		}
	case reflect.Map:
		for members := value.MapRange(); members.Next(); {
			walkWriteOnly(members.Value(), hidden, found)
		}
	case reflect.Struct:
		shape := layoutOf(value.Type())
		for _, each := range shape.fields {
			walkWriteOnly(value.Field(each.index), hidden || each.writeOnly, found)
		}
		if shape.additional >= 0 {
			walkWriteOnly(value.Field(shape.additional), hidden, found)
		}
	}
}
