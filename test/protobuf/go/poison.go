package main

import (
	"math/rand"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// poison replaces values by ones that are hard to write or to read.
type poison struct {
	random *rand.Rand
	chance float64
}

func newPoison(random *rand.Rand, chance float64) *poison { return &poison{random, chance} }

func (p *poison) spread(object runtime.Object) { p.spreadAt(reflect.ValueOf(object).Elem()) }

func (p *poison) strikes() bool { return p.random.Float64() < p.chance }

func pick[T any](p *poison, values []T) T { return values[p.random.Intn(len(values))] }

func (p *poison) spreadAt(value reflect.Value) {
	if p.spreadSpecial(value) {
		return
	}
	switch value.Kind() {
	case reflect.Pointer:
		p.spreadPointer(value)
	case reflect.Struct:
		for i := range value.NumField() {
			if value.Type().Field(i).IsExported() {
				p.spreadAt(value.Field(i))
			}
		}
	case reflect.Slice:
		p.spreadSlice(value)
	case reflect.Map:
		p.spreadMap(value)
	default:
		p.spreadLeaf(value)
	}
}

func (p *poison) spreadLeaf(value reflect.Value) {
	if !p.strikes() {
		return
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(pick(p, texts))
	case reflect.Int64:
		value.SetInt(pick(p, integers))
	case reflect.Int32:
		value.SetInt(pick(p, shortIntegers))
	case reflect.Float64:
		value.SetFloat(pick(p, doubles))
	}
}

// spreadPointer makes some nil, and some lead to zero.
func (p *poison) spreadPointer(value reflect.Value) {
	if p.strikes() {
		if p.random.Intn(3) == 0 {
			value.SetZero()
		} else if !endless(value.Type()) {
			value.Set(reflect.New(value.Type().Elem()))
		}
	}
	if !value.IsNil() {
		p.spreadAt(value.Elem())
	}
}

func (p *poison) spreadSlice(value reflect.Value) {
	if value.Type().Elem().Kind() == reflect.Uint8 {
		if p.strikes() {
			value.SetBytes(pick(p, byteStrings))
		}
		return
	}
	if p.strikes() {
		switch p.random.Intn(4) {
		case 0:
			value.SetZero()
		case 1:
			value.Set(reflect.MakeSlice(value.Type(), 0, 0))
		case 2:
			if !endless(value.Type()) {
				value.Set(reflect.Append(value, reflect.Zero(value.Type().Elem())))
			}
		case 3:
			// The same element again, as in conditions that somebody wrote twice.
			if value.Len() > 0 {
				value.Set(reflect.Append(value, value.Index(0)))
			}
		}
	}
	for i := range value.Len() {
		p.spreadAt(value.Index(i))
	}
}

func (p *poison) spreadMap(value reflect.Value) {
	if p.strikes() && !endless(value.Type()) {
		changed := reflect.MakeMap(value.Type())
		for range p.random.Intn(6) {
			changed.SetMapIndex(
				reflect.ValueOf(pick(p, texts)).Convert(value.Type().Key()), reflect.Zero(value.Type().Elem()))
		}
		for _, key := range value.MapKeys() {
			changed.SetMapIndex(key, value.MapIndex(key))
		}
		value.Set(changed)
	}
	// In a fixed order: Go's own is another one each time, and the rest of the object follows from what was drawn here.
	keys := value.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		element := reflect.New(value.Type().Elem()).Elem()
		element.Set(value.MapIndex(key))
		p.spreadAt(element)
		value.SetMapIndex(key, element)
	}
}

// spreadSpecial knows the types whose fields must fit together, or be left alone.
func (p *poison) spreadSpecial(value reflect.Value) bool {
	switch special := value.Addr().Interface().(type) {
	case *metav1.TypeMeta:
	case *resource.Quantity:
		if p.strikes() {
			*special = resource.MustParse(pick(p, quantities))
		}
	case *metav1.Time:
		if p.strikes() {
			*special = metav1.Time{Time: pick(p, times)}
		}
	case *metav1.MicroTime:
		if p.strikes() {
			*special = metav1.MicroTime{Time: pick(p, times)}
		}
	case *intstr.IntOrString:
		if p.strikes() {
			*special = pick(p, intsOrStrings)
		}
	case *metav1.FieldsV1:
		if p.strikes() {
			special.SetRawString(pick(p, fieldSets))
		}
	case *runtime.RawExtension:
		if p.strikes() {
			special.Raw = jsonText(p.random)
		}
	case *apiextensionsv1.JSON:
		if p.strikes() {
			special.Raw = jsonText(p.random)
		}
	case *apiextensionsv1beta1.JSON:
		if p.strikes() {
			special.Raw = jsonText(p.random)
		}
	default:
		return false
	}
	return true
}

// endless is true of places where a schema may stand: what is added there would get more of the same.
func endless(place reflect.Type) bool {
	return strings.HasPrefix(place.Elem().Name(), "JSONSchema")
}
