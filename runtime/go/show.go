package cfn

import (
	"reflect"
	"strings"
)

// Show is a model as a line for a log: the properties that are there, write-only ones masked.
func Show(model any) string {
	value := reflect.Indirect(reflect.ValueOf(model))
	if !value.IsValid() {
		return "<nil>"
	}
	text, err := Marshal(masked(value).Interface())
	if err != nil {
		return value.Type().String()
	}
	return value.Type().Name() + strings.TrimSpace(string(text))
}

// masked is a copy of a value as JSON trees, with a mask in place of write-only values.
func masked(value reflect.Value) reflect.Value {
	switch value.Kind() {
	case reflect.Pointer, reflect.Interface:
		if value.IsNil() {
			return value
		}
		return masked(value.Elem())
	case reflect.Struct:
		if _, special := value.Interface().(selfWriting); special {
			return value
		}
		shape, shown := layoutOf(value.Type()), map[string]any{}
		for _, each := range shape.fields {
			held := value.Field(each.index)
			switch {
			case each.omitZero && held.IsZero():
			case each.writeOnly:
				shown[each.name] = mask
			default:
				shown[each.name] = masked(held).Interface()
			}
		}
		if shape.additional >= 0 {
			for members := value.Field(shape.additional).MapRange(); members.Next(); {
				shown[members.Key().String()] = masked(members.Value()).Interface()
			}
		}
		return reflect.ValueOf(shown)
	case reflect.Slice:
		shown := make([]any, value.Len())
		for i := range shown {
			shown[i] = masked(value.Index(i)).Interface()
		}
		return reflect.ValueOf(shown)
	case reflect.Map:
		shown := map[string]any{}
		for members := value.MapRange(); members.Next(); {
			shown[members.Key().String()] = masked(members.Value()).Interface()
		}
		return reflect.ValueOf(shown)
	default:
		return value
	}
}
