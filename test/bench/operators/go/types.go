package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var groupVersion = schema.GroupVersion{Group: "samplecontroller.c9g.io", Version: "v1alpha1"}

// Foo runs copies of one image.
type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   FooSpec   `json:"spec"`
	Status FooStatus `json:"status,omitempty"`
}

// FooSpec is the desired state.
type FooSpec struct {
	Image    string `json:"image"`
	Replicas *int32 `json:"replicas,omitempty"`
}

// FooStatus is the observed state.
type FooStatus struct {
	AvailableReplicas *int32 `json:"availableReplicas,omitempty"`
}

// FooList is a list of Foos.
type FooList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Foo `json:"items"`
}

// DeepCopyObject returns a copy.
func (foo *Foo) DeepCopyObject() runtime.Object {
	copied := *foo
	copied.ObjectMeta = *foo.ObjectMeta.DeepCopy()
	copied.Spec.Replicas = copyOf(foo.Spec.Replicas)
	copied.Status.AvailableReplicas = copyOf(foo.Status.AvailableReplicas)
	return &copied
}

// DeepCopyObject returns a copy.
func (list *FooList) DeepCopyObject() runtime.Object {
	copied := *list
	copied.ListMeta = *list.ListMeta.DeepCopy()
	copied.Items = make([]Foo, len(list.Items))
	for index := range list.Items {
		copied.Items[index] = *list.Items[index].DeepCopyObject().(*Foo)
	}
	return &copied
}

func copyOf(value *int32) *int32 {
	if value == nil {
		return nil
	}
	copied := *value
	return &copied
}

func addToScheme(scheme *runtime.Scheme) {
	scheme.AddKnownTypes(groupVersion, &Foo{}, &FooList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
}
