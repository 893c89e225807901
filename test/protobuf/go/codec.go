package main

import (
	"bytes"
	"fmt"
	"reflect"
	"sort"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// codec reads and writes as the API server does.
type codec struct {
	scheme   *runtime.Scheme
	factory  serializer.CodecFactory
	protobuf *protobuf.Serializer
	json     *jsonserializer.Serializer
}

func newCodec() (*codec, error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	return &codec{
		scheme:   scheme,
		factory:  serializer.NewCodecFactory(scheme),
		protobuf: protobuf.NewSerializer(scheme, scheme),
		json: jsonserializer.NewSerializerWithOptions(
			jsonserializer.DefaultMetaFactory, scheme, scheme, jsonserializer.SerializerOptions{}),
	}, nil
}

func (c *codec) write(object runtime.Object) ([]byte, error) {
	var out bytes.Buffer
	err := c.protobuf.Encode(object, &out)
	return out.Bytes(), err
}

func (c *codec) read(data []byte) (runtime.Object, error) {
	object, kind, err := c.protobuf.Decode(data, nil, nil)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(*kind)
	return object, nil
}

func (c *codec) print(object runtime.Object) ([]byte, error) {
	var out bytes.Buffer
	err := c.json.Encode(object, &out)
	return out.Bytes(), err
}

func (c *codec) toJSON(data []byte) ([]byte, error) {
	object, err := c.read(data)
	if err != nil {
		return nil, err
	}
	return c.print(object)
}

func (c *codec) fromJSON(text []byte) ([]byte, error) {
	object, kind, err := c.json.Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(*kind)
	return c.write(object)
}

// kind that is registered.
type kind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// The Go type, by package and name: some kinds are registered in every group version.
	Type string `json:"type"`
	// Of lists: the apiVersion and kind of their items; empty for items of any kind.
	Item *runtime.TypeMeta `json:"item,omitempty"`
	// Why it cannot be written in protobuf, where it cannot.
	NoProtobuf string `json:"noProtobuf,omitempty"`
}

func (c *codec) kinds() []kind {
	var kinds []kind
	for known, goType := range c.scheme.AllKnownTypes() {
		if known.Version == runtime.APIVersionInternal {
			continue
		}
		apiVersion, name := known.ToAPIVersionAndKind()
		found := kind{APIVersion: apiVersion, Kind: name, Type: goType.PkgPath() + "." + goType.Name()}
		object, err := c.empty(apiVersion, name)
		if err == nil {
			found.Item = c.itemOf(object, known)
			err = c.there(object, known)
		}
		if err != nil {
			found.NoProtobuf = err.Error()
		}
		kinds = append(kinds, found)
	}
	sort.Slice(kinds, func(i, j int) bool {
		a, b := kinds[i], kinds[j]
		return a.APIVersion+" "+a.Kind < b.APIVersion+" "+b.Kind
	})
	return kinds
}

// there says why a kind does not come through protobuf.
func (c *codec) there(object runtime.Object, known schema.GroupVersionKind) error {
	data, err := c.write(object)
	if err != nil {
		return err
	}
	read, err := c.read(data)
	if err != nil {
		return err
	}
	if got := read.GetObjectKind().GroupVersionKind(); got != known {
		return fmt.Errorf("comes back as %v", got)
	}
	return nil
}

func (c *codec) empty(apiVersion, name string) (runtime.Object, error) {
	known := schema.FromAPIVersionAndKind(apiVersion, name)
	object, err := c.scheme.New(known)
	if err != nil {
		return nil, err
	}
	object.GetObjectKind().SetGroupVersionKind(known)
	return object, nil
}

// itemOf gives the kind of a list's items, the one in its own group version where there are several.
func (c *codec) itemOf(list runtime.Object, known schema.GroupVersionKind) *runtime.TypeMeta {
	if !meta.IsListType(list) {
		return nil
	}
	items, _ := reflect.TypeOf(list).Elem().FieldByName("Items")
	item, ok := reflect.New(items.Type.Elem()).Interface().(runtime.Object)
	if !ok {
		return &runtime.TypeMeta{}
	}
	kinds, _, err := c.scheme.ObjectKinds(item)
	if err != nil || len(kinds) == 0 {
		return &runtime.TypeMeta{}
	}
	chosen := kinds[0]
	for _, candidate := range kinds {
		if candidate.GroupVersion() == known.GroupVersion() {
			chosen = candidate
		}
	}
	apiVersion, name := chosen.ToAPIVersionAndKind()
	return &runtime.TypeMeta{APIVersion: apiVersion, Kind: name}
}

// sameJSON compares texts as the API server reads them: integers are int64, all other numbers are doubles.
func sameJSON(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	var left, right any
	if utiljson.Unmarshal(a, &left) != nil || utiljson.Unmarshal(b, &right) != nil {
		return false
	}
	return sameValue(left, right)
}

// sameValue compares integers exactly. 1 and 1.0 are the same number.
func sameValue(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, value := range a {
			if other, ok := b[key]; !ok || !sameValue(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i, value := range a {
			if !sameValue(value, b[i]) {
				return false
			}
		}
		return true
	case int64:
		if b, ok := b.(float64); ok {
			return float64(a) == b
		}
	case float64:
		if b, ok := b.(int64); ok {
			return a == float64(b)
		}
	}
	return a == b
}
