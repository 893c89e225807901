package main

import (
	"math/rand"
	"reflect"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/randfill"
)

const deepestSchema = 3

// schemaFuncs fills the schemas of CustomResourceDefinitions: left to themselves they would grow for ever, and random bytes
// are not the JSON that they hold.
func schemaFuncs(serializer.CodecFactory) []any {
	depth := 0
	props := func(schema reflect.Value, c randfill.Continue) {
		depth++
		defer func() { depth-- }()
		for i := range schema.NumField() {
			field := schema.Field(i)
			if isPlain(field.Type()) || (depth < deepestSchema && c.Intn(10) == 0) {
				c.Fill(field.Addr().Interface())
			}
		}
	}
	return []any{
		func(schema *apiextensionsv1.JSONSchemaProps, c randfill.Continue) {
			props(reflect.ValueOf(schema).Elem(), c)
		},
		func(schema *apiextensionsv1beta1.JSONSchemaProps, c randfill.Continue) {
			props(reflect.ValueOf(schema).Elem(), c)
		},
		func(text *apiextensionsv1.JSON, c randfill.Continue) { text.Raw = jsonText(c.Rand) },
		func(text *apiextensionsv1beta1.JSON, c randfill.Continue) { text.Raw = jsonText(c.Rand) },
	}
}

// isPlain says that a field of a schema holds no other schema.
func isPlain(field reflect.Type) bool {
	switch field.Kind() {
	case reflect.Map:
		return false
	case reflect.Pointer, reflect.Slice:
		return field.Elem().Kind() != reflect.Struct || field.Elem().NumField() == 1
	}
	return true
}

func jsonText(random *rand.Rand) []byte {
	return []byte(jsonTexts[random.Intn(len(jsonTexts))])
}
