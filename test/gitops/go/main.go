// Program that applies, compares, repairs and deletes objects with the library of Flux' controllers, and
// prints one line per observation. Its argument is a kubeconfig; the objects are in standard input.
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/utils"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"
)

var wait = ssa.WaitOptions{Interval: 100 * time.Millisecond, Timeout: 60 * time.Second}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(kubeconfig string) error {
	manager, err := managerOf(kubeconfig)
	if err != nil {
		return err
	}
	objects, err := utils.ReadObjects(os.Stdin)
	if err != nil {
		return err
	}
	manager.SetOwnerLabels(objects, "shop", "flux-system")
	for _, step := range []func(context.Context, *ssa.ResourceManager, []*unstructured.Unstructured) error{
		apply, apply, repair, replaceImmutable, remove,
	} {
		if err := step(context.Background(), manager, objects); err != nil {
			return err
		}
	}
	return nil
}

func managerOf(kubeconfig string) (*ssa.ResourceManager, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	config.QPS = 1000
	config.Burst = 1000
	http, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	mapper, err := apiutil.NewDynamicRESTMapper(config, http)
	if err != nil {
		return nil, err
	}
	kube, err := client.New(config, client.Options{Mapper: mapper})
	if err != nil {
		return nil, err
	}
	poller := polling.NewStatusPoller(kube, mapper, polling.Options{})
	owner := ssa.Owner{Field: "kustomize-controller", Group: "kustomize.toolkit.fluxcd.io"}
	return ssa.NewResourceManager(kube, poller, owner), nil
}

// apply applies definitions and namespaces first, as Flux does, and waits until everything is ready.
func apply(ctx context.Context, manager *ssa.ResourceManager, objects []*unstructured.Unstructured) error {
	changes, err := manager.ApplyAllStaged(ctx, objects, ssa.DefaultApplyOptions())
	if err != nil {
		return err
	}
	printChanges("apply", changes)
	return manager.WaitForSet(changes.ToObjMetadataSet(), wait)
}

// repair detects and reverts a change by another user.
func repair(ctx context.Context, manager *ssa.ResourceManager, objects []*unstructured.Unstructured) error {
	for _, object := range objects {
		changed := object.DeepCopy()
		if object.GetKind() != "ConfigMap" {
			continue
		}
		patch := []byte(`{"data":{"color":"red","added":"by-hand"}}`)
		if err := manager.Client().Patch(ctx, changed, client.RawPatch("application/merge-patch+json", patch), client.FieldOwner("kubectl-edit")); err != nil {
			return err
		}
	}
	for _, object := range objects {
		entry, _, _, err := manager.Diff(ctx, object, ssa.DefaultDiffOptions())
		if err != nil {
			return err
		}
		fmt.Println("diff", entry.Subject, entry.Action)
	}
	cleanup := ssa.DefaultApplyOptions()
	cleanup.Cleanup = ssa.ApplyCleanupOptions{
		FieldManagers: []ssa.FieldManager{{Name: "kubectl-edit", OperationType: metav1.ManagedFieldsOperationUpdate}},
	}
	changes, err := manager.ApplyAll(ctx, objects, cleanup)
	if err != nil {
		return err
	}
	printChanges("repair", changes)
	for _, object := range objects {
		if object.GetKind() != "ConfigMap" {
			continue
		}
		found := object.DeepCopy()
		if err := manager.Client().Get(ctx, client.ObjectKeyFromObject(object), found); err != nil {
			return err
		}
		data, _, _ := unstructured.NestedStringMap(found.Object, "data")
		var managers []string
		for _, entry := range found.GetManagedFields() {
			managers = append(managers, entry.Manager+"/"+string(entry.Operation))
		}
		fmt.Println("data", data, strings.Join(managers, " "))
	}
	return nil
}

// replaceImmutable recreates an object whose change the server refuses.
func replaceImmutable(ctx context.Context, manager *ssa.ResourceManager, objects []*unstructured.Unstructured) error {
	for _, object := range objects {
		if object.GetKind() != "Job" {
			continue
		}
		changed := object.DeepCopy()
		if err := unstructured.SetNestedField(changed.Object, "OnFailure", "spec", "template", "spec", "restartPolicy"); err != nil {
			return err
		}
		_, err := manager.Apply(ctx, changed, ssa.DefaultApplyOptions())
		fmt.Println("immutable", err != nil)
		forced := ssa.DefaultApplyOptions()
		forced.Force = true
		entry, err := manager.Apply(ctx, changed, forced)
		if err != nil {
			return err
		}
		fmt.Println("force", entry.Subject, entry.Action)
	}
	return nil
}

func remove(ctx context.Context, manager *ssa.ResourceManager, objects []*unstructured.Unstructured) error {
	options := ssa.DefaultDeleteOptions()
	options.Inclusions = manager.GetOwnerLabels("shop", "flux-system")
	changes, err := manager.DeleteAll(ctx, objects, options)
	if err != nil {
		return err
	}
	printChanges("delete", changes)
	return manager.WaitForTermination(objects, wait)
}

func printChanges(name string, changes *ssa.ChangeSet) {
	var lines []string
	for _, entry := range changes.Entries {
		lines = append(lines, fmt.Sprint(name, " ", entry.Subject, " ", entry.Action))
	}
	sort.Strings(lines)
	fmt.Println(strings.Join(lines, "\n"))
}
