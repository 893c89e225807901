// Prints how Kubernetes' own types are written in protobuf and in JSON, as the types that are compiled in say it.
//
// Which packages these are stands in packages.go, which derive.mjs writes for each version of Kubernetes.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metav1beta1 "k8s.io/apimachinery/pkg/apis/meta/v1beta1"
	"k8s.io/apimachinery/pkg/runtime"
)

// source is one package that has messages.
type source struct {
	path string
	// folder holds its generated.proto.
	folder string
	// register is nil where a package has no kinds of its own.
	register func(*runtime.Scheme) error
	types    []reflect.Type
}

type kind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Message    string `json:"message"`
}

type table struct {
	Messages map[string]*message `json:"messages"`
	Kinds    []kind              `json:"kinds"`
}

func main() {
	scheme := runtime.NewScheme()
	must(metav1.AddMetaToScheme(scheme))
	must(metav1beta1.AddMetaToScheme(scheme))
	metav1.AddToGroupVersion(scheme, metav1.SchemeGroupVersion)
	for _, source := range sources {
		if source.register != nil {
			must(source.register(scheme))
		}
	}
	names := namesOf(scheme)
	result := table{Messages: map[string]*message{}, Kinds: names.kinds(scheme)}
	for _, source := range sources {
		proto := readProto(source)
		for _, goType := range source.types {
			if _, isSpecial := specials[pathOf(goType)]; isSpecial || pathOf(goType) == neverHeld {
				continue
			}
			read := names.message(goType)
			proto.check(goType, read)
			result.Messages[names.key(goType)] = read
		}
	}
	result.checkReferences()
	must(json.NewEncoder(os.Stdout).Encode(result))
}

// neverHeld has JSON of its own, and no type of the API holds one.
const neverHeld = "k8s.io/apimachinery/pkg/apis/meta/v1.GroupVersion"

// checkReferences ends the program where something is of a message that the table does not have.
func (t table) checkReferences() {
	for _, kind := range t.Kinds {
		if t.Messages[kind.Message] == nil {
			fail("%s %s is of %s, which is no message", kind.APIVersion, kind.Kind, kind.Message)
		}
	}
	for name, message := range t.Messages {
		for _, field := range message.Fields {
			element := strings.TrimLeft(field.Type, "*[]{}")
			if strings.Contains(element, "/") && t.Messages[element] == nil {
				fail("%s.%s is of %s, which is no message", name, field.JSON, element)
			}
		}
	}
}

// homes are the folders that kgen has for packages.
type homes map[string]string

// namesOf finds the group of each package from the kinds that it registers.
func namesOf(scheme *runtime.Scheme) homes {
	found := homes{
		"k8s.io/apimachinery/pkg/apis/meta/v1":      "meta/v1",
		"k8s.io/apimachinery/pkg/apis/meta/v1beta1": "meta/v1beta1",
	}
	for gvk, goType := range scheme.AllKnownTypes() {
		home := gvk.Group + "/" + gvk.Version
		if gvk.Group == "" {
			home = "core/" + gvk.Version
		}
		path := goType.PkgPath()
		if strings.HasPrefix(path, "k8s.io/apimachinery/") || gvk.Version == runtime.APIVersionInternal {
			continue
		}
		if !strings.HasSuffix(path, "/"+gvk.Version) {
			fail("%v is of the package %s", gvk, path)
		}
		if known, isKnown := found[path]; isKnown && known != home {
			fail("the package %s is of %s and of %s", path, known, home)
		}
		found[path] = home
	}
	return found
}

// key names a message as kgen does.
func (h homes) key(goType reflect.Type) string {
	home, isKnown := h[goType.PkgPath()]
	if !isKnown {
		fail("%s is of a package without kinds", pathOf(goType))
	}
	return home + "." + goType.Name()
}

// kinds lists what the scheme has. Every group version registers the options and WatchEvent: they are listed for the core
// and for meta.k8s.io alone.
func (h homes) kinds(scheme *runtime.Scheme) []kind {
	found := []kind{}
	for gvk, goType := range scheme.AllKnownTypes() {
		isShared := goType.PkgPath() == "k8s.io/apimachinery/pkg/apis/meta/v1" &&
			gvk.Group != "" && gvk.Group != "meta.k8s.io"
		if gvk.Version == runtime.APIVersionInternal || isShared || !hasProtobuf(goType) {
			continue
		}
		apiVersion, name := gvk.ToAPIVersionAndKind()
		found = append(found, kind{apiVersion, name, h.key(goType)})
	}
	sort.Slice(found, func(i, j int) bool {
		a, b := found[i], found[j]
		return a.APIVersion < b.APIVersion || a.APIVersion == b.APIVersion && a.Kind < b.Kind
	})
	return found
}

func hasProtobuf(goType reflect.Type) bool {
	_, marshals := reflect.PointerTo(goType).MethodByName("MarshalToSizedBuffer")
	return marshals
}

func pathOf(goType reflect.Type) string {
	return goType.PkgPath() + "." + goType.Name()
}

func must(err error) {
	if err != nil {
		fail("%v", err)
	}
}

func fail(format string, values ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", values...)
	os.Exit(1)
}
