package cfn

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
)

// Unmarshal reads a model from JSON as a request carries it: CloudFormation sends every scalar as a string ("true",
// "5"), contract tests send typed values, and both are read. A property that the model doesn't have is an error that
// names its place, and so is a value that does not fit.
func Unmarshal[M any](data []byte, into *M) error {
	tree, err := parseJSON(data)
	if err != nil {
		return err
	}
	return readInto(into, tree)
}

// parseJSON is one JSON document with its numbers as they were written.
func parseJSON(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var tree any
	if err := decoder.Decode(&tree); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is more than one JSON document")
	}
	return tree, nil
}

func readInto(pointer, tree any) error {
	return read(reflect.ValueOf(pointer).Elem(), tree)
}

// selfReading is what reads itself in its own way; sets and unions do.
type selfReading interface{ readTree(tree any) error }

func read(into reflect.Value, tree any) error {
	if reader, is := into.Addr().Interface().(selfReading); is {
		return reader.readTree(tree)
	}
	switch into.Kind() {
	case reflect.Pointer:
		if tree == nil {
			into.SetZero()
			return nil
		}
		into.Set(reflect.New(into.Type().Elem()))
		return read(into.Elem(), tree)
	case reflect.Interface:
		if tree == nil {
			into.SetZero()
		} else {
			into.Set(reflect.ValueOf(tree))
		}
		return nil
	case reflect.Struct:
		return readObject(into, tree)
	case reflect.Slice:
		return readArray(into, tree)
	case reflect.Map:
		return readMap(into, tree)
	default:
		return readScalar(into, tree)
	}
}

func readScalar(into reflect.Value, tree any) error {
	switch into.Kind() {
	case reflect.String:
		return readText(into, tree)
	case reflect.Bool:
		return readBoolean(into, tree)
	case reflect.Int, reflect.Int64, reflect.Int32:
		whole, err := wholeNumber(tree)
		if err == nil && into.OverflowInt(whole) {
			err = &misfit{reason: "expected an integer of 32 bits, found a larger one"}
		}
		if err == nil {
			into.SetInt(whole)
		}
		return err
	case reflect.Float64, reflect.Float32:
		number, err := realNumber(tree)
		if err == nil {
			into.SetFloat(number)
		}
		return err
	default:
		return &misfit{reason: "the model has a field of type " + into.Type().String() + ", which no JSON fits"}
	}
}

// readText takes typed scalars too: as the text that CloudFormation would send for them.
func readText(into reflect.Value, tree any) error {
	switch value := tree.(type) {
	case string:
		into.SetString(value)
	case json.Number:
		into.SetString(value.String())
	case bool:
		into.SetString(map[bool]string{true: "true", false: "false"}[value])
	default:
		return misfitOf("a string", tree)
	}
	return nil
}

func readBoolean(into reflect.Value, tree any) error {
	switch value := tree.(type) {
	case bool:
		into.SetBool(value)
		return nil
	case string:
		word := strings.ToLower(value)
		if word == "true" || word == "false" {
			into.SetBool(word == "true")
			return nil
		}
		return &misfit{reason: `expected a boolean, found a string that is neither "true" nor "false"`}
	default:
		return misfitOf("a boolean", tree)
	}
}

func readObject(into reflect.Value, tree any) error {
	members, is := tree.(map[string]any)
	if !is {
		return misfitOf("an object", tree)
	}
	shape := layoutOf(into.Type())
	for name, value := range members {
		position, known := shape.byName[name]
		var err error
		switch {
		case known:
			if value != nil { // an explicit null is an absent property
				err = read(into.Field(shape.fields[position].index), value)
			}
		case shape.additional >= 0:
			err = readMember(into.Field(shape.additional), name, value)
		default:
			err = &misfit{reason: "unknown property"}
		}
		if err != nil {
			return within(err, name)
		}
	}
	return nil
}

func readArray(into reflect.Value, tree any) error {
	if tree == nil {
		into.SetZero()
		return nil
	}
	items, is := tree.([]any)
	if !is {
		return misfitOf("an array", tree)
	}
	made := reflect.MakeSlice(into.Type(), len(items), len(items))
	for i, item := range items {
		if err := read(made.Index(i), item); err != nil {
			return within(err, index(i))
		}
	}
	into.Set(made)
	return nil
}

func readMap(into reflect.Value, tree any) error {
	if tree == nil {
		into.SetZero()
		return nil
	}
	members, is := tree.(map[string]any)
	if !is {
		return misfitOf("an object", tree)
	}
	into.Set(reflect.MakeMapWithSize(into.Type(), len(members)))
	for name, value := range members {
		if err := readMember(into, name, value); err != nil {
			return within(err, name)
		}
	}
	return nil
}

func readMember(into reflect.Value, name string, tree any) error {
	if into.IsNil() {
		into.Set(reflect.MakeMap(into.Type()))
	}
	value := reflect.New(into.Type().Elem()).Elem()
	if err := read(value, tree); err != nil {
		return err
	}
	into.SetMapIndex(reflect.ValueOf(name).Convert(into.Type().Key()), value)
	return nil
}
