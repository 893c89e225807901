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
	Template *corev1.PodTemplateSpec `json:"template,omitempty"`
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
