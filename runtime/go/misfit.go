package cfn

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// misfit is a value that its declared type cannot hold. It has the place inside the model and never the value itself,
// which may be a secret.
type misfit struct {
	reason string
	path   []string // innermost first; completed on the way out of the containers
}

func (m *misfit) Error() string {
	if len(m.path) == 0 {
		return m.reason
	}
	return m.reason + " at " + pointerOf(m.path)
}

// pointerOf is the JSON pointer of a path that has its innermost step first.
func pointerOf(path []string) string {
	var pointer strings.Builder
	for i := len(path) - 1; i >= 0; i-- {
		pointer.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(path[i]))
	}
	return pointer.String()
}

func within(err error, step string) error {
	if found, is := err.(*misfit); is {
		found.path = append(found.path, step)
	}
	return err
}

func misfitOf(expected string, tree any) error {
	return &misfit{reason: fmt.Sprintf("expected %s, found %s", expected, kindOf(tree))}
}

func kindOf(tree any) string {
	switch tree.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	default:
		return reflect.TypeOf(tree).String()
	}
}

func index(i int) string { return strconv.Itoa(i) }
