package cfn

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// Set is an array with uniqueItems true and insertionOrder false: equal items are kept once, in the order in which they
// came, and written so. It is filled as a slice.
type Set[T any] []T

// Contains says whether an item equal to this one, as JSON, is there.
func (s Set[T]) Contains(item T) bool {
	wanted := canonical(reflect.ValueOf(&item).Elem())
	return slices.ContainsFunc(s, func(each T) bool { return canonical(reflect.ValueOf(&each).Elem()) == wanted })
}

// Equal says whether both have the same items, whatever their order.
func (s Set[T]) Equal(other Set[T]) bool {
	own, others := s.keys(), other.keys()
	if len(own) != len(others) {
		return false
	}
	for key := range own {
		if !others[key] {
			return false
		}
	}
	return true
}

func (s Set[T]) keys() map[string]bool {
	keys := make(map[string]bool, len(s))
	for i := range s {
		keys[canonical(reflect.ValueOf(&s[i]).Elem())] = true
	}
	return keys
}

func (s *Set[T]) readTree(tree any) error {
	var items []T
	if err := readArray(reflect.ValueOf(&items).Elem(), tree); err != nil {
		return err
	}
	*s = Set[T](items).distinct()
	return nil
}

// distinct is the set without items that are equal to an earlier one.
func (s Set[T]) distinct() Set[T] {
	if len(s) < 2 {
		return s
	}
	seen := make(map[string]bool, len(s))
	kept := make(Set[T], 0, len(s))
	for i := range s {
		key := canonical(reflect.ValueOf(&s[i]).Elem())
		if !seen[key] {
			seen[key] = true
			kept = append(kept, s[i])
		}
	}
	return kept
}

func (s Set[T]) sortedKeys() string {
	return fmt.Sprintf("set%q", slices.Sorted(maps.Keys(s.keys())))
}

func (s Set[T]) written() any { return []T(s.distinct()) }

// Either is a scalar of one of two types, neither of them string. It is read as A where that fits, else as B; Value
// holds an A or a B (of a nested Either its value).
type Either[A, B any] struct{ Value any }

func (e *Either[A, B]) readTree(tree any) error {
	var first A
	if readInto(&first, tree) == nil {
		e.Value = flattened(&first)
		return nil
	}
	var second B
	if readInto(&second, tree) == nil {
		e.Value = flattened(&second)
		return nil
	}
	return &misfit{reason: "expected a value of one of the declared types, found " + kindOf(tree)}
}

func (e Either[A, B]) written() any { return e.Value }

func flattened[T any](value *T) any {
	if nested, is := any(value).(selfWriting); is {
		return nested.written()
	}
	return *value
}
