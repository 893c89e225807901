package main

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// hollow fills objects with everything that can be there, and with nothing in it.
type hollow struct {
	// Elements of each slice and map.
	elements int
	// How often a type occurs around the present place.
	within map[reflect.Type]int
}

// Types hold themselves in schemas only; one within another is enough.
const mostWithin = 2

func newHollow(elements int) *hollow {
	return &hollow{elements: elements, within: map[reflect.Type]int{}}
}

func (h *hollow) fill(object runtime.Object) { h.fillAt(reflect.ValueOf(object).Elem()) }

func (h *hollow) fillAt(value reflect.Value) {
	switch value.Addr().Interface().(type) {
	case *metav1.TypeMeta, *runtime.RawExtension, *metav1.Time, *metav1.MicroTime:
		return
	}
	switch value.Kind() {
	case reflect.Pointer:
		if h.within[value.Type().Elem()] < mostWithin {
			value.Set(reflect.New(value.Type().Elem()))
			h.fillAt(value.Elem())
		}
	case reflect.Struct:
		h.within[value.Type()]++
		defer func() { h.within[value.Type()]-- }()
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() {
				h.fillAt(value.Field(i))
			}
		}
	case reflect.Slice:
		h.fillSlice(value)
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		if element := value.Type().Elem(); h.elements > 0 && h.within[element] < mostWithin {
			filled := reflect.New(element).Elem()
			h.fillAt(filled)
			value.SetMapIndex(reflect.Zero(value.Type().Key()), filled)
		}
	}
}

// fillSlice leaves byte strings empty: their elements are no values of their own.
func (h *hollow) fillSlice(value reflect.Value) {
	element := value.Type().Elem()
	count := h.elements
	if element.Kind() == reflect.Uint8 || h.within[element] >= mostWithin {
		count = 0
	}
	value.Set(reflect.MakeSlice(value.Type(), count, count))
	for i := range count {
		h.fillAt(value.Index(i))
	}
}
