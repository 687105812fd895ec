package cfn

import (
	"reflect"
	"strings"
	"sync"
)

// layout is what the tags of a struct say about its JSON object:
//
//	Name   *string        `json:"Name,omitzero"`
//	Odd    *string        `json:"-" property:"any name at all"`
//	Secret *string        `json:"Secret,omitzero" cfn:"writeOnly"`
//	Additional map[string]any `json:"-" cfn:"additional"` // what the schema allows and doesn't name
//
// A property whose field is nil is absent; [], {}, 0, "" and false are not.
type layout struct {
	fields     []field
	byName     map[string]int // property → index in fields
	additional int            // index of the struct's field, -1 where other properties are refused
}

type field struct {
	name      string
	index     int
	omitZero  bool
	writeOnly bool
}

var layouts sync.Map // reflect.Type → *layout

func layoutOf(of reflect.Type) *layout {
	if known, found := layouts.Load(of); found {
		return known.(*layout)
	}
	made := &layout{byName: map[string]int{}, additional: -1}
	for i := range of.NumField() {
		described := of.Field(i)
		if !described.IsExported() {
			continue
		}
		flags := described.Tag.Get("cfn")
		if flags == "additional" {
			made.additional = i
			continue
		}
		name, options, _ := strings.Cut(described.Tag.Get("json"), ",")
		if odd, given := described.Tag.Lookup("property"); given {
			name, options = odd, "omitzero"
		} else if name == "-" {
			continue
		} else if name == "" {
			name = described.Name
		}
		made.byName[name] = len(made.fields)
		omit := strings.Contains(options, "omit")
		made.fields = append(made.fields, field{name, i, omit, flags == "writeOnly"})
	}
	known, _ := layouts.LoadOrStore(of, made)
	return known.(*layout)
}
