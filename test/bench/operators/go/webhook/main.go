// A webhook server on controller-runtime: a default and a validation of Rings.
// Arguments: the folder of the certificate, and the port.
package main

import (
	"context"
	"fmt"
	"os"
	"strconv"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

var groupVersion = schema.GroupVersion{Group: "example.com", Version: "v1"}

// Ring has a size that must not shrink.
type Ring struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec RingSpec `json:"spec"`
}

// RingSpec is the desired state.
type RingSpec struct {
	Size    int32             `json:"size"`
	Version string            `json:"version,omitempty"`
	Config  map[string]string `json:"config,omitempty"`
}

// DeepCopyObject returns a copy.
func (ring *Ring) DeepCopyObject() runtime.Object {
	copied := *ring
	copied.ObjectMeta = *ring.ObjectMeta.DeepCopy()
	copied.Spec.Config = make(map[string]string, len(ring.Spec.Config))
	for key, value := range ring.Spec.Config {
		copied.Spec.Config[key] = value
	}
	return &copied
}

type handler struct{}

func (handler) Default(_ context.Context, ring *Ring) error {
	if ring.Spec.Version == "" {
		ring.Spec.Version = "7.4"
	}
	return nil
}

func (handler) ValidateCreate(context.Context, *Ring) (admission.Warnings, error) {
	return nil, nil
}

func (handler) ValidateUpdate(_ context.Context, old, ring *Ring) (admission.Warnings, error) {
	if ring.Spec.Size < old.Spec.Size {
		return nil, fmt.Errorf("spec.size must not shrink")
	}
	return nil, nil
}

func (handler) ValidateDelete(context.Context, *Ring) (admission.Warnings, error) {
	return nil, nil
}

func main() {
	ctrl.SetLogger(logr.Discard())
	port, err := strconv.Atoi(os.Args[2])
	if err != nil {
		panic(err)
	}
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(groupVersion, &Ring{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	server := webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: port, CertDir: os.Args[1]})
	server.Register("/defaults/example.com/v1/rings", admission.WithDefaulter[*Ring](scheme, handler{}))
	server.Register("/validates/example.com/v1/rings", admission.WithValidator[*Ring](scheme, handler{}))
	if err := server.Start(ctrl.SetupSignalHandler()); err != nil {
		panic(err)
	}
}
