package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// verdict on bytes that should mean an object.
type verdict struct {
	// What is wrong with the bytes themselves.
	Error string `json:"error,omitempty"`
	// The first place where they mean something else, and what is there; "" where they mean the same.
	Path string `json:"path,omitempty"`
	Want string `json:"want,omitempty"`
	Got  string `json:"got,omitempty"`
	// Whether the bytes mean what JSON leaves of the object, and not all of what it was.
	ThroughJSON bool `json:"throughJSON,omitempty"`
	// Whether API machinery calls the objects equal. It does not where only the text of JSON is different.
	Semantic bool `json:"semantic"`
	// Whether the bytes are the ones that were written here.
	Bytes bool `json:"bytes"`
}

func (c *codec) check(request []byte, theirs [][]byte) ([][]byte, error) {
	var wanted which
	if err := json.Unmarshal(request, &wanted); err != nil {
		return nil, err
	}
	var parts [][]byte
	for i, data := range theirs {
		object, _, err := c.random(wanted, wanted.From+i)
		if err != nil {
			return nil, err
		}
		verdict, err := c.judge(object, data)
		if err != nil {
			return nil, err
		}
		part, err := json.Marshal(verdict)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// judge compares with what a round trip leaves of the object: it drops the nanoseconds of a metav1.Time, for example.
func (c *codec) judge(object runtime.Object, theirs []byte) (verdict, error) {
	written, err := c.write(object)
	if err != nil {
		return verdict{}, err
	}
	want, err := c.read(written)
	if err != nil {
		return verdict{}, err
	}
	got, err := c.read(theirs)
	if err != nil {
		return verdict{Error: err.Error()}, nil
	}
	out := verdict{Bytes: bytes.Equal(written, theirs), Semantic: apiequality.Semantic.DeepEqual(want, got)}
	found := compare("", reflect.ValueOf(want), reflect.ValueOf(got))
	if found == nil {
		return out, nil
	}
	if left, err := c.throughJSON(want); err != nil {
		return verdict{}, err
	} else if compare("", reflect.ValueOf(left), reflect.ValueOf(got)) == nil {
		out.ThroughJSON = true
		return out, nil
	}
	out.Path, out.Want, out.Got = found.path, found.want, found.got
	return out, nil
}

// throughJSON gives what JSON leaves of an object: a pointer to a time that is zero becomes none, for example.
func (c *codec) throughJSON(object runtime.Object) (runtime.Object, error) {
	text, err := c.print(object)
	if err != nil {
		return nil, err
	}
	data, err := c.fromJSON(text)
	if err != nil {
		return nil, err
	}
	return c.read(data)
}

type difference struct{ path, want, got string }

func differ(path string, want, got any) *difference {
	if path == "" {
		path = "."
	}
	return &difference{path, fmt.Sprintf("%#v", want), fmt.Sprintf("%#v", got)}
}

// compare finds the first difference, nil where there is none. Slices and maps that are empty are as good as none.
func compare(path string, want, got reflect.Value) *difference {
	if found, done := compareSpecial(path, want, got); done {
		return found
	}
	switch want.Kind() {
	case reflect.Struct:
		return compareFields(path, want, got)
	case reflect.Pointer, reflect.Interface:
		if want.IsNil() || got.IsNil() {
			if want.IsNil() != got.IsNil() {
				return differ(path, want.Interface(), got.Interface())
			}
			return nil
		}
		return compare(path, want.Elem(), got.Elem())
	case reflect.Slice:
		return compareSlices(path, want, got)
	case reflect.Map:
		return compareMaps(path, want, got)
	}
	if !want.Equal(got) {
		return differ(path, want.Interface(), got.Interface())
	}
	return nil
}

func compareFields(path string, want, got reflect.Value) *difference {
	for i := range want.NumField() {
		field := want.Type().Field(i)
		if !field.IsExported() {
			panic(fmt.Sprintf("%s: %v has state that cannot be seen", path, want.Type()))
		}
		if isUnsaid(want, field.Name) {
			continue
		}
		if found := compare(path+"."+field.Name, want.Field(i), got.Field(i)); found != nil {
			return found
		}
	}
	return nil
}

// isUnsaid is true of a field of which JSON says nothing, because it says the other one: what stands in the place of a
// schema is a schema, or it is something else.
func isUnsaid(value reflect.Value, field string) bool {
	switch value.Type().Name() {
	case "JSONSchemaPropsOrBool":
		return field == "Allows" && !value.FieldByName("Schema").IsNil()
	case "JSONSchemaPropsOrArray":
		return field == "Schema" && value.FieldByName("JSONSchemas").Len() > 0
	case "JSONSchemaPropsOrStringArray":
		return field == "Schema" && value.FieldByName("Property").Len() > 0
	}
	return false
}

func compareSlices(path string, want, got reflect.Value) *difference {
	if want.Len() != got.Len() {
		return differ(path, want.Interface(), got.Interface())
	}
	if want.Type().Elem().Kind() == reflect.Uint8 && want.IsNil() != got.IsNil() {
		return differ(path, want.Interface(), got.Interface())
	}
	for i := range want.Len() {
		if found := compare(fmt.Sprintf("%s[%d]", path, i), want.Index(i), got.Index(i)); found != nil {
			return found
		}
	}
	return nil
}

func compareMaps(path string, want, got reflect.Value) *difference {
	if want.Len() != got.Len() {
		return differ(path, want.Interface(), got.Interface())
	}
	for _, key := range want.MapKeys() {
		there := got.MapIndex(key)
		if !there.IsValid() {
			return differ(path, want.Interface(), got.Interface())
		}
		if found := compare(fmt.Sprintf("%s[%q]", path, key), want.MapIndex(key), there); found != nil {
			return found
		}
	}
	return nil
}

// compareSpecial knows the types whose meaning is not the sum of their fields; the second result says whether this was one.
func compareSpecial(path string, want, got reflect.Value) (*difference, bool) {
	var same bool
	switch a := want.Interface().(type) {
	case resource.Quantity:
		b := got.Interface().(resource.Quantity)
		same = a.Cmp(b) == 0 && a.String() == b.String()
	case metav1.Time:
		same = a.Time.Equal(got.Interface().(metav1.Time).Time)
	case metav1.MicroTime:
		same = a.Time.Equal(got.Interface().(metav1.MicroTime).Time)
	case intstr.IntOrString:
		// The one that its type does not speak of is never said in JSON.
		b := got.Interface().(intstr.IntOrString)
		same = a.Type == b.Type && a.String() == b.String()
	case metav1.FieldsV1:
		b := got.Interface().(metav1.FieldsV1)
		same = sameRaw(a.GetRawBytes(), b.GetRawBytes())
	case runtime.RawExtension:
		same = sameRaw(a.Raw, got.Interface().(runtime.RawExtension).Raw)
	case apiextensionsv1.JSON:
		same = sameRaw(a.Raw, got.Interface().(apiextensionsv1.JSON).Raw)
	case apiextensionsv1beta1.JSON:
		same = sameRaw(a.Raw, got.Interface().(apiextensionsv1beta1.JSON).Raw)
	default:
		return nil, false
	}
	if same {
		return nil, true
	}
	return differ(path, fmt.Sprintf("%+v", want), fmt.Sprintf("%+v", got)), true
}

// sameRaw takes no text for what JSON says of it: null.
func sameRaw(a, b []byte) bool { return sameJSON(orNull(a), orNull(b)) }

func orNull(text []byte) []byte {
	if len(text) == 0 {
		return []byte("null")
	}
	return text
}

const exactIntegers = 1 << 53

// look gathers what a program that reads JSON may not be able to hold, or to write again letter for letter.
func (f *facts) look(object runtime.Object) { f.lookAt(reflect.ValueOf(object)) }

func (f *facts) lookAt(value reflect.Value) {
	switch special := value.Interface().(type) {
	case resource.Quantity, metav1.Time, metav1.MicroTime:
		return
	case metav1.FieldsV1:
		f.Fields = append(f.Fields, special.GetRawString())
		return
	case runtime.RawExtension:
		f.Raw = append(f.Raw, string(special.Raw))
		return
	case apiextensionsv1.JSON:
		f.Raw = append(f.Raw, string(special.Raw))
		return
	case apiextensionsv1beta1.JSON:
		f.Raw = append(f.Raw, string(special.Raw))
		return
	}
	switch value.Kind() {
	case reflect.Int64:
		f.Wide = f.Wide || value.Int() > exactIntegers || value.Int() < -exactIntegers
	case reflect.Pointer, reflect.Interface:
		if !value.IsNil() {
			f.lookAt(value.Elem())
		}
	case reflect.Struct:
		for i := range value.NumField() {
			f.lookAt(value.Field(i))
		}
	case reflect.Slice:
		for i := range value.Len() {
			f.lookAt(value.Index(i))
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			f.lookAt(value.MapIndex(key))
		}
	}
}
