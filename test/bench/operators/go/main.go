// Command operator is the Foo operator on controller-runtime, as kubebuilder would have it: the peer of the
// same operator on @kgen/controller. Settings come as JSON in $SETTINGS. It prints `converged` when the status
// of every Foo has been written, and the bytes of the live heap for each line of its input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	appsapply "k8s.io/client-go/applyconfigurations/apps/v1"
	coreapply "k8s.io/client-go/applyconfigurations/core/v1"
	metaapply "k8s.io/client-go/applyconfigurations/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

type settings struct {
	Server      string `json:"server"`
	CA          string `json:"ca"`
	Cert        string `json:"cert"`
	Key         string `json:"key"`
	Count       int64  `json:"count"`
	Concurrency int    `json:"concurrency"`
	// Apply writes Deployments by server-side apply in each run, in place of CreateOrUpdate.
	Apply bool `json:"apply"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	var given settings
	if err := json.Unmarshal([]byte(os.Getenv("SETTINGS")), &given); err != nil {
		return fmt.Errorf("$SETTINGS: %w", err)
	}
	ctrl.SetLogger(logr.Discard())
	addToScheme(scheme.Scheme)
	// A negative rate: no limit on the side of the client.
	config := &rest.Config{
		Host: given.Server,
		QPS:  -1,
		TLSClientConfig: rest.TLSClientConfig{
			CAData:   []byte(given.CA),
			CertData: []byte(given.Cert),
			KeyData:  []byte(given.Key),
		},
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme.Scheme,
		Metrics: server.Options{BindAddress: "0"},
	})
	if err != nil {
		return err
	}
	err = ctrl.NewControllerManagedBy(manager).
		For(&Foo{}, builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: given.Concurrency}).
		Complete(&reconciler{Client: manager.GetClient(), given: given})
	if err != nil {
		return err
	}
	go reportHeap()
	return manager.Start(ctrl.SetupSignalHandler())
}

// reportHeap prints the live heap for each line of the input.
func reportHeap() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		runtime.GC()
		runtime.GC()
		var memory runtime.MemStats
		runtime.ReadMemStats(&memory)
		fmt.Println(memory.HeapAlloc)
	}
}

type reconciler struct {
	client.Client
	given   settings
	written atomic.Int64
}

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var foo Foo
	if err := r.Get(ctx, request.NamespacedName, &foo); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	write := r.createOrUpdate
	if r.given.Apply {
		write = r.apply
	}
	available, err := write(ctx, &foo)
	if err != nil {
		return ctrl.Result{}, err
	}
	return ctrl.Result{}, r.updateStatus(ctx, &foo, available)
}

// createOrUpdate returns the available replicas.
func (r *reconciler) createOrUpdate(ctx context.Context, foo *Foo) (int32, error) {
	deployment := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: foo.Namespace, Name: foo.Name}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, deployment, func() error {
		describe(deployment, foo)
		return controllerutil.SetControllerReference(foo, deployment, r.Scheme())
	})
	return deployment.Status.AvailableReplicas, err
}

// apply returns the available replicas, as the cache has them: the response of an apply is not read.
func (r *reconciler) apply(ctx context.Context, foo *Foo) (int32, error) {
	labels := map[string]string{"app": "foo", "controller": foo.Name}
	owner := metaapply.OwnerReference().
		WithAPIVersion(groupVersion.String()).WithKind("Foo").WithName(foo.Name).WithUID(foo.UID).
		WithController(true).WithBlockOwnerDeletion(true)
	container := coreapply.Container().WithName("foo").WithImage(foo.Spec.Image)
	template := coreapply.PodTemplateSpec().WithLabels(labels).
		WithSpec(coreapply.PodSpec().WithContainers(container))
	spec := appsapply.DeploymentSpec().WithTemplate(template).
		WithSelector(metaapply.LabelSelector().WithMatchLabels(labels))
	spec.Replicas = foo.Spec.Replicas
	intent := appsapply.Deployment(foo.Name, foo.Namespace).WithOwnerReferences(owner).WithSpec(spec)
	if err := r.Apply(ctx, intent, client.FieldOwner("foo-operator"), client.ForceOwnership); err != nil {
		return 0, err
	}
	var deployment appsv1.Deployment
	err := r.Get(ctx, client.ObjectKeyFromObject(foo), &deployment)
	return deployment.Status.AvailableReplicas, client.IgnoreNotFound(err)
}

// describe sets the fields of the operator, and keeps those that the server has set.
func describe(deployment *appsv1.Deployment, foo *Foo) {
	labels := map[string]string{"app": "foo", "controller": foo.Name}
	deployment.Spec.Replicas = foo.Spec.Replicas
	if deployment.Spec.Selector == nil {
		deployment.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}
	}
	template := &deployment.Spec.Template
	template.Labels = labels
	if len(template.Spec.Containers) != 1 {
		template.Spec.Containers = []corev1.Container{{}}
	}
	template.Spec.Containers[0].Name = "foo"
	template.Spec.Containers[0].Image = foo.Spec.Image
}

func (r *reconciler) updateStatus(ctx context.Context, foo *Foo, available int32) error {
	if foo.Status.AvailableReplicas != nil && *foo.Status.AvailableReplicas == available {
		return nil
	}
	foo.Status.AvailableReplicas = &available
	if err := r.Status().Update(ctx, foo); err != nil {
		return err
	}
	if r.written.Add(1) == r.given.Count {
		fmt.Println("converged")
	}
	return nil
}
