package main

import (
	"encoding/json"
	"reflect"
	"sort"
	"strconv"
	"strings"
)

// message is a type that has a message in protobuf.
type message struct {
	// Bare messages are lists in JSON: their only field stands for the whole of it.
	Bare   bool    `json:"bare,omitempty"`
	Fields []field `json:"fields"`
}

type field struct {
	Number int `json:"number"`
	// JSON is empty where the members of the field stand in the place of its parent's.
	JSON string `json:"json"`
	// Type is written as in Go, with {} for a map, $ before types whose JSON is their own, and messages by their key.
	Type     string `json:"type"`
	Omission string `json:"omission"`

	goType reflect.Type
}

// specials are the types whose JSON is something of their own.
var specials = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":       "$Time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":  "$MicroTime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":   "$Duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":   "$FieldsV1",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":   "$Quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString": "$IntOrString",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":    "$RawExtension",

	apiextensions + "v1.JSON":                              "$JSON",
	apiextensions + "v1.JSONSchemaPropsOrArray":            "$JSONSchemaPropsOrArray",
	apiextensions + "v1.JSONSchemaPropsOrBool":             "$JSONSchemaPropsOrBool",
	apiextensions + "v1.JSONSchemaPropsOrStringArray":      "$JSONSchemaPropsOrStringArray",
	apiextensions + "v1beta1.JSON":                         "$JSON",
	apiextensions + "v1beta1.JSONSchemaPropsOrArray":       "$JSONSchemaPropsOrArray",
	apiextensions + "v1beta1.JSONSchemaPropsOrBool":        "$JSONSchemaPropsOrBool",
	apiextensions + "v1beta1.JSONSchemaPropsOrStringArray": "$JSONSchemaPropsOrStringArray",
}

const apiextensions = "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/"

var (
	marshaler   = reflect.TypeFor[json.Marshaler]()
	unmarshaler = reflect.TypeFor[json.Unmarshaler]()
	byteSlice   = reflect.TypeFor[[]byte]()
)

// message reads a type. It ends the program where it meets something that the table cannot say.
func (h homes) message(goType reflect.Type) *message {
	pointer := reflect.PointerTo(goType)
	if pointer.Implements(marshaler) || pointer.Implements(unmarshaler) {
		fail("%s has JSON of its own, and nothing here knows of it", pathOf(goType))
	}
	if goType.Kind() == reflect.Slice {
		items := field{Number: 1, JSON: "items", Type: "[]" + h.element(goType.Elem()), Omission: "never", goType: goType}
		return &message{Bare: true, Fields: []field{items}}
	}
	read := &message{Fields: []field{}}
	for index := range goType.NumField() {
		member := goType.Field(index)
		if tag, isWritten := member.Tag.Lookup("protobuf"); isWritten && tag != "-" {
			read.Fields = append(read.Fields, h.field(pathOf(goType), member, tag))
		}
	}
	sort.Slice(read.Fields, func(i, j int) bool { return read.Fields[i].Number < read.Fields[j].Number })
	return read
}

func (h homes) field(parent string, member reflect.StructField, tag string) field {
	parts := strings.Split(tag, ",")
	number, err := strconv.Atoi(parts[1])
	must(err)
	name, omission := jsonOf(parent, member)
	return field{Number: number, JSON: name, Type: h.shape(member.Type), Omission: omission, goType: member.Type}
}

// jsonOf gives the name of a member in JSON, empty for one that has its members in the parent's place, and when it is left out.
func jsonOf(parent string, member reflect.StructField) (string, string) {
	name, rest, _ := strings.Cut(member.Tag.Get("json"), ",")
	options := map[string]bool{}
	for _, option := range strings.Split(rest, ",") {
		options[option] = true
	}
	place := parent + "." + member.Name
	switch {
	case name == "-" || !member.IsExported() || options["string"]:
		fail("%s is in protobuf, and in JSON it is %q", place, member.Tag.Get("json"))
	case name == "" && member.Anonymous:
		return "", "never"
	case name == "":
		name = member.Name
	}
	isStruct := member.Type.Kind() == reflect.Struct
	switch {
	case options["omitzero"] && options["omitempty"] && !isStruct:
		fail("%s is left out when it is empty and when it is zero", place)
	case options["omitzero"]:
		return name, "omitzero"
	case options["omitempty"]:
		return name, "omitempty"
	}
	return name, "never"
}

// shape writes the type of a member. A list that has a message of its own is there or not, as behind a pointer.
func (h homes) shape(goType reflect.Type) string {
	switch {
	case goType == byteSlice:
		return "bytes"
	case goType.Kind() == reflect.Pointer:
		return "*" + h.element(goType.Elem())
	case goType.Kind() == reflect.Slice && hasProtobuf(goType):
		return "*" + h.element(goType)
	case goType.Kind() == reflect.Slice:
		return "[]" + h.element(goType.Elem())
	case goType.Kind() == reflect.Map && goType.Key().Kind() == reflect.String:
		return "{}" + h.element(goType.Elem())
	}
	return h.element(goType)
}

var scalars = map[reflect.Kind]string{
	reflect.String:  "string",
	reflect.Int32:   "int32",
	reflect.Int64:   "int64",
	reflect.Bool:    "bool",
	reflect.Float64: "double",
}

// element writes the type of what a pointer points to, a slice or a map has.
func (h homes) element(goType reflect.Type) string {
	if special, isSpecial := specials[pathOf(goType)]; isSpecial {
		return special
	}
	if scalar, isScalar := scalars[goType.Kind()]; isScalar {
		return scalar
	}
	if goType == byteSlice {
		return "bytes"
	}
	if !hasProtobuf(goType) {
		fail("%v has no message", goType)
	}
	return h.key(goType)
}
