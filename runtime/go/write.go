package cfn

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// Marshal writes a model as JSON: its properties under their names, absent ones left out.
func Marshal(model any) ([]byte, error) {
	return (&writer{}).value(nil, reflect.ValueOf(model))
}

// deepest bounds what a handler may nest; a value that contains itself would never end.
const deepest = 500

// selfWriting is what is written as another value; sets and unions are.
type selfWriting interface{ written() any }

// unordered is what is equal whatever the order of its items; sets are.
type unordered interface {
	selfWriting
	sortedKeys() string
}

// writer appends JSON. With canonical, values that are equal as JSON are written alike.
type writer struct {
	canonical bool
	depth     int
}

// canonical is a text that is equal for equal JSON.
func canonical(value reflect.Value) string {
	text, err := (&writer{canonical: true}).value(nil, value)
	if err != nil {
		return fmt.Sprintf("%v", value) // what JSON cannot hold is refused when the answer is written
	}
	return string(text)
}

func (w *writer) value(to []byte, value reflect.Value) ([]byte, error) {
	if !value.IsValid() {
		return append(to, "null"...), nil
	}
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > deepest {
		return nil, &misfit{reason: "is nested too deeply, or contains itself"}
	}
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if value.IsNil() {
			return append(to, "null"...), nil
		}
	}
	if value.CanInterface() {
		switch special := value.Interface().(type) {
		case json.Number:
			return w.number(to, special)
		case unordered:
			if w.canonical {
				return append(to, special.sortedKeys()...), nil
			}
			return w.value(to, reflect.ValueOf(special.written()))
		case selfWriting:
			return w.value(to, reflect.ValueOf(special.written()))
		case json.Marshaler:
			return w.marshaled(to, special)
		}
	}
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		return w.value(to, value.Elem())
	case reflect.Struct:
		return w.object(to, value)
	case reflect.Map:
		return w.members(to, value)
	case reflect.Slice, reflect.Array:
		return w.array(to, value)
	default:
		return w.scalar(to, value)
	}
}

func (w *writer) scalar(to []byte, value reflect.Value) ([]byte, error) {
	switch value.Kind() {
	case reflect.String:
		return appendText(to, value.String()), nil
	case reflect.Bool:
		return strconv.AppendBool(to, value.Bool()), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.AppendInt(to, value.Int(), 10), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return strconv.AppendUint(to, value.Uint(), 10), nil
	case reflect.Float32, reflect.Float64:
		if number := value.Float(); math.IsNaN(number) || math.IsInf(number, 0) {
			return nil, &misfit{reason: "is not a finite number, which JSON cannot hold"}
		}
		text := strconv.FormatFloat(value.Float(), 'g', -1, value.Type().Bits())
		if w.canonical {
			text = plainNumber(text)
		}
		return append(to, text...), nil
	default:
		return nil, &misfit{reason: "is of type " + value.Type().String() + ", which JSON cannot hold"}
	}
}

func (w *writer) number(to []byte, number json.Number) ([]byte, error) {
	if !json.Valid([]byte(number)) {
		return nil, &misfit{reason: "is not a number"}
	}
	if w.canonical {
		number = json.Number(plainNumber(string(number)))
	}
	return append(to, number...), nil
}

func (w *writer) marshaled(to []byte, value json.Marshaler) ([]byte, error) {
	text, err := value.MarshalJSON()
	if err != nil || !json.Valid(text) {
		return nil, &misfit{reason: fmt.Sprintf("is of type %T, which did not become JSON", value)}
	}
	return append(to, text...), nil
}

func (w *writer) object(to []byte, value reflect.Value) ([]byte, error) {
	shape := layoutOf(value.Type())
	to = append(to, '{')
	start := len(to)
	var err error
	for _, each := range shape.fields {
		held := value.Field(each.index)
		if each.omitZero && held.IsZero() {
			continue
		}
		if to, err = w.member(to, start, each.name, held); err != nil {
			return nil, err
		}
	}
	if shape.additional >= 0 {
		if to, err = w.sorted(to, start, value.Field(shape.additional)); err != nil {
			return nil, err
		}
	}
	return append(to, '}'), nil
}

func (w *writer) members(to []byte, value reflect.Value) ([]byte, error) {
	if value.IsNil() {
		return append(to, "null"...), nil
	}
	to = append(to, '{')
	to, err := w.sorted(to, len(to), value)
	if err != nil {
		return nil, err
	}
	return append(to, '}'), nil
}

// sorted appends the members of a map, so that the same value gives the same text every time.
func (w *writer) sorted(to []byte, start int, value reflect.Value) ([]byte, error) {
	if value.Type().Key().Kind() != reflect.String {
		return nil, &misfit{reason: "has keys of type " + value.Type().Key().String() + "; JSON keys are strings"}
	}
	keys := value.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		if a.String() < b.String() {
			return -1
		}
		return 1
	})
	var err error
	for _, key := range keys {
		if to, err = w.member(to, start, key.String(), value.MapIndex(key)); err != nil {
			return nil, err
		}
	}
	return to, nil
}

func (w *writer) member(to []byte, start int, name string, value reflect.Value) ([]byte, error) {
	if len(to) > start {
		to = append(to, ',')
	}
	to = append(appendText(to, name), ':')
	written, err := w.value(to, value)
	if err != nil {
		return nil, within(err, name)
	}
	return written, nil
}

func (w *writer) array(to []byte, value reflect.Value) ([]byte, error) {
	if value.Kind() == reflect.Slice && value.IsNil() {
		return append(to, "null"...), nil
	}
	to = append(to, '[')
	var err error
	for i := range value.Len() {
		if i > 0 {
			to = append(to, ',')
		}
		if to, err = w.value(to, value.Index(i)); err != nil {
			return nil, within(err, index(i))
		}
	}
	return append(to, ']'), nil
}

func appendText(to []byte, text string) []byte {
	written, _ := json.Marshal(text) // a string is always JSON
	return append(to, written...)
}

// treeOf is a value as it would be read back.
func treeOf(value any) (any, error) {
	text, err := Marshal(value)
	if err != nil {
		return nil, err
	}
	return parseJSON(text)
}
