package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
)

// protoFile is a generated.proto: by message, what each number is, as `repeated string`. The tags of Go's structs are wrong
// about types here and there; this file is what the bytes are made by.
type protoFile map[string]map[int]string

var (
	messageLine = regexp.MustCompile(`^message (\w+) \{`)
	fieldLine   = regexp.MustCompile(`^  (optional|repeated|required|map<string, ?([\w.]+)>) ?([\w.]*) (\w+) = (\d+);`)
)

func readProto(source source) protoFile {
	text, err := os.ReadFile(filepath.Join(source.folder, "generated.proto"))
	must(err)
	file := protoFile{}
	name := ""
	for _, line := range strings.Split(string(text), "\n") {
		if opens := messageLine.FindStringSubmatch(line); opens != nil {
			name = opens[1]
			file[name] = map[int]string{}
		}
		if declares := fieldLine.FindStringSubmatch(line); declares != nil {
			number, err := strconv.Atoi(declares[5])
			must(err)
			file[name][number] = declared(declares[1], declares[2], declares[3])
		} else if strings.HasSuffix(line, ";") && strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "  //") {
			fail("%s: %s: this line is of no known form: %s", source.path, name, line)
		}
	}
	return file
}

func declared(label, value, single string) string {
	switch {
	case value != "":
		return "map " + value
	case label == "repeated":
		return "repeated " + single
	}
	return single
}

// check ends the program where a message is not what the generated.proto of its package says.
func (f protoFile) check(goType reflect.Type, read *message) {
	fields := f[goType.Name()]
	if len(fields) != len(read.Fields) {
		fail("%s has %d fields, and %d in generated.proto", pathOf(goType), len(read.Fields), len(fields))
	}
	for _, field := range read.Fields {
		want := protoShape(goType.PkgPath(), field.goType, read.Bare)
		if got := fields[field.Number]; got != want {
			fail("%s: %d is %q in generated.proto, and %q in Go", pathOf(goType), field.Number, got, want)
		}
	}
}

// protoShape writes a Go type as the generated.proto of the package `from` has it.
func protoShape(from string, goType reflect.Type, isItems bool) string {
	isList := goType.Kind() == reflect.Slice && goType != byteSlice
	switch {
	case isList && (isItems || !hasProtobuf(goType)):
		return "repeated " + protoElement(from, goType.Elem())
	case goType.Kind() == reflect.Map:
		return "map " + protoElement(from, goType.Elem())
	}
	return protoElement(from, goType)
}

func protoElement(from string, goType reflect.Type) string {
	if goType.Kind() == reflect.Pointer {
		goType = goType.Elem()
	}
	if goType == byteSlice {
		return "bytes"
	}
	if scalar, isScalar := scalars[goType.Kind()]; isScalar {
		return scalar
	}
	if goType.PkgPath() == from {
		return goType.Name()
	}
	return "." + strings.ReplaceAll(goType.PkgPath(), "/", ".") + "." + goType.Name()
}
