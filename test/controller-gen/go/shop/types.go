// Package shop has the features of Go types that controller-gen knows.
// +groupName=shop.example.com
// +versionName=v1
package shop

import (
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// +kubebuilder:validation:MaxLength=9
type Name string

// +kubebuilder:validation:Enum=small;large
type Size string

type Port struct {
	Name string `json:"name"`
	// +kubebuilder:validation:Minimum=1
	// +kubebuilder:validation:ExclusiveMaximum=true
	// +kubebuilder:validation:Maximum=65536
	Number int32 `json:"number"`
}

// +kubebuilder:validation:ExactlyOneOf=url;file
// +kubebuilder:validation:AtMostOneOf=mode;owner
// +kubebuilder:validation:AtLeastOneOf=url;mode
type Source struct {
	URL   *string `json:"url,omitempty"`
	File  *string `json:"file,omitempty"`
	Mode  *int64  `json:"mode,omitempty"`
	Owner *Name   `json:"owner,omitempty"`
}

// +kubebuilder:validation:XValidation:rule="!has(self.most) || self.replicas <= self.most",message="replicas must not exceed most",reason=FieldValueForbidden,fieldPath=".replicas"
type ShopSpec struct {
	// +kubebuilder:default=3
	Replicas int32 `json:"replicas,omitempty"`
	Most     int32 `json:"most,omitempty"`
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:Pattern=`^[a-z]+$`
	Title string          `json:"title"`
	Size  Size            `json:"size,omitempty"`
	Names map[string]Name `json:"names,omitempty"`
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=16
	Ports []Port `json:"ports,omitempty"`
	// +listType=set
	Tags []string `json:"tags,omitempty"`
	// +kubebuilder:validation:items:MaxLength=5
	Words []string `json:"words,omitempty"`
	// +k8s:immutable
	Storage *resource.Quantity `json:"storage,omitempty"`
	// +k8s:immutable
	Zone     string                `json:"zone"`
	Surge    *intstr.IntOrString   `json:"surge,omitempty"`
	Pause    *metav1.Duration      `json:"pause,omitempty"`
	Since    *metav1.Time          `json:"since,omitempty"`
	Selector *metav1.LabelSelector `json:"selector,omitempty"`
	Secret   []byte                `json:"secret,omitempty"`
	Ratio    float64               `json:"ratio,omitempty"`
	Any      *apiextensionsv1.JSON `json:"any,omitempty"`
	// +nullable
	Note *string `json:"note,omitempty"`
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	Object *runtime.RawExtension `json:"object,omitempty"`
	Source *Source               `json:"source,omitempty"`
	// +structType=atomic
	Pair     *Port                   `json:"pair,omitempty"`
	More     *More                   `json:"more,omitempty"`
	Template *corev1.PodTemplateSpec `json:"template,omitempty"`
}

// +kubebuilder:validation:MinLength=4
type LongText string

// +kubebuilder:validation:Type=string
type TextFlag bool

type Keyed struct {
	Name   string `json:"name"`
	Number int32  `json:"number"`
	Value  string `json:"value,omitempty"`
}

// +kubebuilder:validation:MinProperties=1
// +kubebuilder:validation:MaxProperties=2
type Limited struct {
	First  string `json:"first,omitempty"`
	Second string `json:"second,omitempty"`
	Third  string `json:"third,omitempty"`
}

// +kubebuilder:pruning:PreserveUnknownFields
type Open struct {
	Known string `json:"known"`
}

type Inner struct {
	Labels map[string]string `json:"labels,omitempty"`
}

type More struct {
	Blobs  map[string][]byte                       `json:"blobs,omitempty"`
	Lists  map[string][]string                     `json:"lists,omitempty"`
	Values map[string]*string                      `json:"values,omitempty"`
	Nested map[string]map[string]string            `json:"nested,omitempty"`
	Deep   map[string]map[string]map[string]string `json:"deep,omitempty"`
	Inner  map[string]Inner                        `json:"inner,omitempty"`
	Floats map[string][]float64                    `json:"floats,omitempty"`
	// +kubebuilder:validation:MinLength=4
	Text  string   `json:"text"`
	Alias LongText `json:"alias"`
	// +kubebuilder:default=forty
	Word string `json:"word,omitempty"`
	// +kubebuilder:default={a,b}
	Words []string `json:"words,omitempty"`
	// +kubebuilder:default={{name: "a", number: 1}}
	// +listType=map
	// +listMapKey=name
	// +listMapKey=number
	Keyed []Keyed `json:"keyed,omitempty"`
	Open  *Open   `json:"open,omitempty"`
	// +mapType=granular
	Shared map[string]string `json:"shared,omitempty"`
	// +mapType=atomic
	Whole   map[string]string `json:"whole,omitempty"`
	Limited *Limited          `json:"limited,omitempty"`
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:pruning:PreserveUnknownFields
	Free []byte `json:"free,omitempty"`
	// +kubebuilder:validation:XIntOrString
	// +kubebuilder:validation:Pattern="^((100|[0-9]{1,2})%|[0-9]+)$"
	Percent    *intstr.IntOrString      `json:"percent,omitempty"`
	Moment     *metav1.MicroTime        `json:"moment,omitempty"`
	References []corev1.ObjectReference `json:"references,omitempty"`
	// +kubebuilder:validation:Minimum=0
	// +kubebuilder:validation:ExclusiveMinimum=true
	// +kubebuilder:validation:MultipleOf=5
	Step int64 `json:"step,omitempty"`
	// +kubebuilder:validation:MinItems=1
	// +kubebuilder:validation:items:Enum=a;b
	// +listType=atomic
	Codes []string `json:"codes,omitempty"`
	// +kubebuilder:validation:Format=hostname
	Host string `json:"host,omitempty"`
	// +kubebuilder:title=Title
	// +kubebuilder:example=word
	// +kubebuilder:externalDocs:url="https://example.com",description="Docs"
	Titled string `json:"titled,omitempty"`
	// +kubebuilder:validation:XValidation:rule="self >= oldSelf.orValue(0)",optionalOldSelf=true,messageExpression="'must not decrease'"
	Counter int32    `json:"counter,omitempty"`
	Flag    TextFlag `json:"flag,omitempty"`
	Plain   int      `json:"plain,omitempty"`
	// +nullable
	Maybe *Keyed `json:"maybe,omitempty"`
	// +kubebuilder:validation:MaxLength=3
	// +optional
	Tag     string `json:"tag"`
	Hidden  string `json:"-"`
	Inlined `json:",inline"`
}

type Inlined struct {
	Note string `json:"inlined,omitempty"`
}

type ShopStatus struct {
	Replicas int32  `json:"replicas,omitempty"`
	Selector string `json:"selector,omitempty"`
	// +listType=map
	// +listMapKey=type
	Conditions []metav1.Condition `json:"conditions,omitempty"`
}

// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=sh,categories=all
// +kubebuilder:subresource:status
// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
// +kubebuilder:printcolumn:name="Wanted",type=integer,JSONPath=`.spec.replicas`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:selectablefield:JSONPath=`.spec.title`
type Shop struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              ShopSpec   `json:"spec"`
	Status            ShopStatus `json:"status,omitempty"`
}
