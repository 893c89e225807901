// Program that uses an API server with client-go and prints one line per observation. Its arguments are a
// kubeconfig and a namespace.
package main

import (
	"context"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	applycorev1 "k8s.io/client-go/applyconfigurations/core/v1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/dynamic/dynamicinformer"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	typedcorev1 "k8s.io/client-go/kubernetes/typed/core/v1"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
	"k8s.io/client-go/tools/record"
	"k8s.io/client-go/util/retry"
)

type run struct {
	ctx       context.Context
	config    *rest.Config
	clients   *kubernetes.Clientset
	namespace string
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 60*time.Second)
	defer cancel()
	config, err := clientcmd.BuildConfigFromFlags("", os.Args[1])
	check(err)
	config.QPS, config.Burst = -1, 0
	r := &run{ctx: ctx, config: config, clients: kubernetes.NewForConfigOrDie(config), namespace: os.Args[2]}
	for _, format := range []string{"application/json", "application/vnd.kubernetes.protobuf"} {
		typed := rest.CopyConfig(config)
		typed.ContentType = format
		r.clients = kubernetes.NewForConfigOrDie(typed)
		r.objects(strings.TrimPrefix(format, "application/"))
	}
	r.discovery()
	r.informers()
	r.dynamic()
	r.metadata()
	r.events()
	r.election()
	r.users()
}

func check(err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%T: %v\n", err, err)
		os.Exit(1)
	}
}

func say(format string, args ...any) {
	fmt.Printf(format+"\n", args...)
}

func configMap(name, value string) *corev1.ConfigMap {
	return &corev1.ConfigMap{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{"app": "client-go"}},
		Data:       map[string]string{"a": value},
	}
}

// objects uses every verb of one kind.
func (r *run) objects(format string) {
	maps := r.clients.CoreV1().ConfigMaps(r.namespace)
	created, err := maps.Create(r.ctx, configMap("one", "1"), metav1.CreateOptions{})
	check(err)
	say("%s create: %s %v", format, created.Name, created.UID != "")
	_, err = maps.Create(r.ctx, configMap("one", "1"), metav1.CreateOptions{})
	say("%s create again: %v", format, apierrors.IsAlreadyExists(err))
	stale := created.DeepCopy()
	created.Data["a"] = "2"
	updated, err := maps.Update(r.ctx, created, metav1.UpdateOptions{})
	check(err)
	say("%s update: %s", format, updated.Data["a"])
	stale.Data["a"] = "3"
	_, err = maps.Update(r.ctx, stale, metav1.UpdateOptions{})
	say("%s stale update: %v", format, apierrors.IsConflict(err))
	check(retry.RetryOnConflict(retry.DefaultRetry, func() error {
		found, err := maps.Get(r.ctx, "one", metav1.GetOptions{})
		if err != nil {
			return err
		}
		found.Data["b"] = "1"
		_, err = maps.Update(r.ctx, found, metav1.UpdateOptions{})
		return err
	}))
	patched, err := maps.Patch(r.ctx, "one", types.MergePatchType, []byte(`{"data":{"b":null,"c":"1"}}`), metav1.PatchOptions{})
	check(err)
	say("%s patch: %v", format, patched.Data)
	applied, err := maps.Apply(r.ctx, applycorev1.ConfigMap("two", r.namespace).WithData(map[string]string{"x": "y"}), metav1.ApplyOptions{FieldManager: "client-go"})
	check(err)
	say("%s apply: %v %s", format, applied.Data, applied.ManagedFields[0].Operation)
	list, err := maps.List(r.ctx, metav1.ListOptions{LabelSelector: "app=client-go", Limit: 1})
	check(err)
	say("%s list: %d", format, len(list.Items))
	_, err = maps.Get(r.ctx, "none", metav1.GetOptions{})
	say("%s get: %v", format, err)
	check(maps.DeleteCollection(r.ctx, metav1.DeleteOptions{}, metav1.ListOptions{FieldSelector: fields.OneTermNotEqualSelector("metadata.name", "kube-root-ca.crt").String()}))
	rest, err := maps.List(r.ctx, metav1.ListOptions{LabelSelector: "app=client-go"})
	check(err)
	say("%s after deletecollection: %d", format, len(rest.Items))
}

func (r *run) discovery() {
	client := discovery.NewDiscoveryClientForConfigOrDie(r.config)
	version, err := client.ServerVersion()
	check(err)
	say("version: %s.%s", version.Major, version.Minor)
	lists, err := client.ServerPreferredResources()
	check(err)
	found := []string{}
	for _, list := range lists {
		for _, resource := range list.APIResources {
			if list.GroupVersion == "apps/v1" {
				found = append(found, resource.Name)
			}
		}
	}
	sort.Strings(found)
	say("apps/v1: %v", found)
	paths, err := client.OpenAPIV3().Paths()
	check(err)
	_, served := paths["apis/apps/v1"]
	say("OpenAPI of apps/v1: %v", served)
}

func (r *run) informers() {
	factory := informers.NewSharedInformerFactoryWithOptions(r.clients, 0, informers.WithNamespace(r.namespace))
	informer := factory.Core().V1().ConfigMaps()
	events := make(chan string, 100)
	_, err := informer.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { events <- "add " + object.(*corev1.ConfigMap).Name },
		UpdateFunc: func(_, object any) { events <- "update " + object.(*corev1.ConfigMap).Data["a"] },
		DeleteFunc: func(object any) { events <- "delete " + object.(*corev1.ConfigMap).Name },
	})
	check(err)
	factory.Start(r.ctx.Done())
	for kind, synced := range factory.WaitForCacheSync(r.ctx.Done()) {
		say("synced %v: %v", kind, synced)
	}
	maps := r.clients.CoreV1().ConfigMaps(r.namespace)
	created, err := maps.Create(r.ctx, configMap("watched", "1"), metav1.CreateOptions{})
	check(err)
	say("informer: %s", <-events)
	created.Data["a"] = "2"
	_, err = maps.Update(r.ctx, created, metav1.UpdateOptions{})
	check(err)
	say("informer: %s", <-events)
	found, err := informer.Lister().ConfigMaps(r.namespace).Get("watched")
	check(err)
	say("lister: %s", found.Data["a"])
	check(maps.Delete(r.ctx, "watched", metav1.DeleteOptions{}))
	say("informer: %s", <-events)
}

var deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}

func (r *run) dynamic() {
	client := dynamic.NewForConfigOrDie(r.config)
	factory := dynamicinformer.NewFilteredDynamicSharedInformerFactory(client, 0, r.namespace, nil)
	informer := factory.ForResource(deployments).Informer()
	added := make(chan string, 10)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{AddFunc: func(object any) {
		added <- object.(*unstructured.Unstructured).GetName()
	}})
	check(err)
	factory.Start(r.ctx.Done())
	factory.WaitForCacheSync(r.ctx.Done())
	labels := map[string]any{"app": "web"}
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apps/v1",
		"kind":       "Deployment",
		"metadata":   map[string]any{"name": "web"},
		"spec": map[string]any{
			"replicas": int64(0),
			"selector": map[string]any{"matchLabels": labels},
			"template": map[string]any{
				"metadata": map[string]any{"labels": labels},
				"spec":     map[string]any{"containers": []any{map[string]any{"name": "web", "image": "web"}}},
			},
		},
	}}
	created, err := client.Resource(deployments).Namespace(r.namespace).Create(r.ctx, object, metav1.CreateOptions{})
	check(err)
	strategy, _, _ := unstructured.NestedString(created.Object, "spec", "strategy", "type")
	say("dynamic create: %s", strategy)
	say("dynamic informer: %s", <-added)
	scale, err := r.clients.AppsV1().Deployments(r.namespace).GetScale(r.ctx, "web", metav1.GetOptions{})
	check(err)
	say("scale: %d %s", scale.Spec.Replicas, scale.Status.Selector)
	_, err = client.Resource(schema.GroupVersionResource{Group: "none", Version: "v1", Resource: "none"}).List(r.ctx, metav1.ListOptions{})
	say("unknown resource: %v", err)
}

func (r *run) metadata() {
	client := metadata.NewForConfigOrDie(r.config)
	found, err := client.Resource(deployments).Namespace(r.namespace).Get(r.ctx, "web", metav1.GetOptions{})
	check(err)
	say("metadata: %s %s", found.Kind, found.Name)
}

func (r *run) events() {
	broadcaster := record.NewBroadcaster()
	broadcaster.StartRecordingToSink(&typedcorev1.EventSinkImpl{Interface: r.clients.CoreV1().Events(r.namespace)})
	defer broadcaster.Shutdown()
	recorder := broadcaster.NewRecorder(scheme.Scheme, corev1.EventSource{Component: "client-go"})
	subject := &corev1.ObjectReference{APIVersion: "v1", Kind: "ConfigMap", Name: "one", Namespace: r.namespace, UID: "u1"}
	for range 2 {
		recorder.Event(subject, corev1.EventTypeNormal, "Tested", "a message")
	}
	for {
		list, err := r.clients.CoreV1().Events(r.namespace).List(r.ctx, metav1.ListOptions{FieldSelector: "involvedObject.uid=u1"})
		check(err)
		if len(list.Items) == 1 && list.Items[0].Count == 2 {
			say("event: %s %s %d", list.Items[0].Reason, list.Items[0].Message, list.Items[0].Count)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func (r *run) election() {
	leaders := make(chan string, 10)
	elect := func(ctx context.Context, id string) {
		lock := &resourcelock.LeaseLock{
			LeaseMeta:  metav1.ObjectMeta{Name: "leader", Namespace: r.namespace},
			Client:     r.clients.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: id},
		}
		leaderelection.RunOrDie(ctx, leaderelection.LeaderElectionConfig{
			Lock:            lock,
			ReleaseOnCancel: true,
			LeaseDuration:   2 * time.Second,
			RenewDeadline:   1 * time.Second,
			RetryPeriod:     100 * time.Millisecond,
			Callbacks: leaderelection.LeaderCallbacks{
				OnStartedLeading: func(context.Context) { leaders <- id },
				OnStoppedLeading: func() {},
			},
		})
	}
	first, stop := context.WithCancel(r.ctx)
	go elect(first, "first")
	say("leader: %s", <-leaders)
	second, stopSecond := context.WithCancel(r.ctx)
	defer stopSecond()
	go elect(second, "second")
	stop()
	say("leader: %s", <-leaders)
}

// users acts as another user, whom nothing is permitted.
func (r *run) users() {
	config := rest.CopyConfig(r.config)
	config.Impersonate = rest.ImpersonationConfig{UserName: "jane", Groups: []string{"developers"}}
	clients := kubernetes.NewForConfigOrDie(config)
	_, err := clients.CoreV1().ConfigMaps(r.namespace).List(r.ctx, metav1.ListOptions{})
	say("forbidden: %v %v", apierrors.IsForbidden(err), err)
}
