// Package ten has the ten tests of ../ten.mjs for controller-runtime's fake client and for envtest.
package ten

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

var kind = schema.GroupVersionKind{Group: "cache.example.com", Version: "v1", Kind: "RedisCluster"}

var c client.WithWatch

func TestMain(m *testing.M) {
	if os.Getenv("TEN") == "fake" {
		scheme := runtime.NewScheme()
		scheme.AddKnownTypeWithName(kind, &unstructured.Unstructured{})
		scheme.AddKnownTypeWithName(kind.GroupVersion().WithKind("RedisClusterList"), &unstructured.UnstructuredList{})
		status := &unstructured.Unstructured{}
		status.SetGroupVersionKind(kind)
		c = fake.NewClientBuilder().WithScheme(scheme).WithStatusSubresource(status).Build()
		os.Exit(m.Run())
	}
	environment := &envtest.Environment{CRDDirectoryPaths: []string{os.Getenv("CRD")}}
	config, err := environment.Start()
	if err != nil {
		panic(err)
	}
	c, err = client.NewWithWatch(config, client.Options{})
	if err != nil {
		panic(err)
	}
	code := m.Run()
	_ = environment.Stop()
	os.Exit(code)
}

func cluster(name string, spec map[string]any) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{"version": "7.4"}}}
	for key, value := range spec {
		u.Object["spec"].(map[string]any)[key] = value
	}
	u.SetGroupVersionKind(kind)
	u.SetNamespace("default")
	u.SetName(name)
	return u
}

func read(t *testing.T, name string) *unstructured.Unstructured {
	t.Helper()
	u := cluster(name, nil)
	check(t, c.Get(context.Background(), client.ObjectKeyFromObject(u), u))
	return u
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func create(t *testing.T, u *unstructured.Unstructured) *unstructured.Unstructured {
	t.Helper()
	check(t, c.Create(context.Background(), u))
	return u
}

func TestCreated(t *testing.T) {
	create(t, cluster("created", nil))
	if version, _, _ := unstructured.NestedString(read(t, "created").Object, "spec", "version"); version != "7.4" {
		t.Fatal(version)
	}
}

func TestLabelled(t *testing.T) {
	u := cluster("labelled", nil)
	u.SetLabels(map[string]string{"team": "shop"})
	create(t, u)
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(kind.GroupVersion().WithKind("RedisClusterList"))
	check(t, c.List(context.Background(), list, client.InNamespace("default"), client.MatchingLabels{"team": "shop"}))
	if len(list.Items) != 1 {
		t.Fatal(len(list.Items))
	}
}

func TestStale(t *testing.T) {
	old := create(t, cluster("stale", nil))
	stale := old.DeepCopy()
	check(t, unstructured.SetNestedField(old.Object, int64(2), "spec", "replicas"))
	check(t, c.Update(context.Background(), old))
	check(t, unstructured.SetNestedField(stale.Object, int64(4), "spec", "replicas"))
	if err := c.Update(context.Background(), stale); !apierrors.IsConflict(err) {
		t.Fatal(err)
	}
}

func TestReported(t *testing.T) {
	u := cluster("reported", nil)
	check(t, unstructured.SetNestedField(u.Object, int64(1), "status", "readyReplicas"))
	create(t, u)
	if _, found, _ := unstructured.NestedMap(read(t, "reported").Object, "status"); found {
		t.Fatal("the status was created")
	}
	u = read(t, "reported")
	check(t, unstructured.SetNestedField(u.Object, int64(2), "status", "readyReplicas"))
	check(t, c.Status().Update(context.Background(), u))
}

func TestApplied(t *testing.T) {
	apply := func(replicas int64, owner string) error {
		u := cluster("applied", map[string]any{"replicas": replicas})
		return c.Apply(context.Background(), client.ApplyConfigurationFromUnstructured(u), client.FieldOwner(owner))
	}
	check(t, apply(2, "one"))
	if err := apply(4, "two"); !apierrors.IsConflict(err) {
		t.Fatal(err)
	}
}

func TestWatched(t *testing.T) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(kind.GroupVersion().WithKind("RedisClusterList"))
	watcher, err := c.Watch(context.Background(), list, client.InNamespace("default"))
	check(t, err)
	defer watcher.Stop()
	create(t, cluster("watched", nil))
	for {
		select {
		case event := <-watcher.ResultChan():
			if u, ok := event.Object.(*unstructured.Unstructured); ok && event.Type == watch.Added && u.GetName() == "watched" {
				return
			}
		case <-time.After(5 * time.Second):
			t.Fatal("no event")
		}
	}
}

func TestHeld(t *testing.T) {
	u := cluster("held", nil)
	u.SetFinalizers([]string{"cache.example.com/backup"})
	create(t, u)
	check(t, c.Delete(context.Background(), u))
	u = read(t, "held")
	if u.GetDeletionTimestamp() == nil {
		t.Fatal("not marked")
	}
	u.SetFinalizers(nil)
	check(t, c.Update(context.Background(), u))
	if err := c.Get(context.Background(), client.ObjectKeyFromObject(u), u); !apierrors.IsNotFound(err) {
		t.Fatal(err)
	}
}

func TestInvalid(t *testing.T) {
	err := c.Create(context.Background(), cluster("invalid", map[string]any{"evictionPolicy": "none"}))
	if !apierrors.IsInvalid(err) {
		t.Fatal(err)
	}
}

func TestDefaulted(t *testing.T) {
	u := create(t, cluster("defaulted", nil))
	if replicas, _, _ := unstructured.NestedInt64(u.Object, "spec", "replicas"); replicas != 3 {
		t.Fatal(replicas)
	}
}

func TestGenerated(t *testing.T) {
	u := cluster("", nil)
	u.SetGenerateName("carts-")
	create(t, u)
	if !strings.HasPrefix(u.GetName(), "carts-") {
		t.Fatal(u.GetName())
	}
}

