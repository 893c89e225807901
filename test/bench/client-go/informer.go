package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

// informed is what a copy took; memory is in bytes, as it is after two collections.
type informed struct {
	Ms        float64 `json:"ms"`
	CPUMs     float64 `json:"cpuMs"`
	HeapBytes uint64  `json:"heapBytes"`
	HeapSys   uint64  `json:"heapSysBytes"`
	Resident  uint64  `json:"residentBytes"`
}

// informer keeps a copy of all pods with a shared informer.
func informer(ctx context.Context, given settings) (any, error) {
	clientset, err := clientsetOf(given)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	var options []informers.SharedInformerOption
	if given.Transform {
		options = append(options, informers.WithTransform(selected))
	}
	factory := informers.NewSharedInformerFactoryWithOptions(clientset, 0, options...)
	pods := factory.Core().V1().Pods()
	var added atomic.Int64
	registration, err := pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { added.Add(1) },
	})
	if err != nil {
		return nil, err
	}

	var measured informed
	measured.Ms, measured.CPUMs, err = timed(func() error {
		factory.Start(ctx.Done())
		if !cache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
			return fmt.Errorf("the informer was not synced")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}

	read, err := readAll(pods.Lister().List(labels.Everything()))
	if err != nil {
		return nil, err
	}
	if read != given.Count || int(added.Load()) != given.Count {
		return nil, fmt.Errorf("%d pods came and %d were added instead of %d", read, added.Load(), given.Count)
	}
	measured.measureMemory()
	runtime.KeepAlive(factory)
	return measured, nil
}

// selected returns a pod with the fields of the selection in projection.mjs, and its identity.
func selected(object any) (any, error) {
	pod, isPod := object.(*corev1.Pod)
	if !isPod {
		return object, nil
	}
	containers := make([]corev1.Container, len(pod.Spec.Containers))
	for index, container := range pod.Spec.Containers {
		containers[index] = corev1.Container{Image: container.Image, Resources: container.Resources}
	}
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Name:              pod.Name,
			Namespace:         pod.Namespace,
			UID:               pod.UID,
			ResourceVersion:   pod.ResourceVersion,
			CreationTimestamp: pod.CreationTimestamp,
			DeletionTimestamp: pod.DeletionTimestamp,
			Labels:            pod.Labels,
		},
		Spec:   corev1.PodSpec{NodeName: pod.Spec.NodeName, Containers: containers},
		Status: corev1.PodStatus{Phase: pod.Status.Phase},
	}, nil
}

// readAll looks at each pod once and gives how many there are.
func readAll(pods []*corev1.Pod, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	count := 0
	for _, pod := range pods {
		if pod.Name == "" || len(pod.Spec.Containers) == 0 {
			return 0, fmt.Errorf("a pod is empty")
		}
		count++
	}
	return count, nil
}

func (measured *informed) measureMemory() {
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	measured.HeapBytes = memory.HeapAlloc
	measured.HeapSys = memory.HeapSys
	measured.Resident = residentBytes()
}

// residentBytes is 0 where the system does not tell it.
func residentBytes() uint64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for _, line := range strings.Split(string(status), "\n") {
		var kilobytes uint64
		if _, err := fmt.Sscanf(line, "VmRSS: %d kB", &kilobytes); err == nil {
			return kilobytes * 1024
		}
	}
	return 0
}

// timed gives milliseconds of wall time and of the processor, collections included.
func timed(work func() error) (ms float64, cpuMs float64, err error) {
	before := processorTime()
	started := time.Now()
	err = work()
	elapsed := time.Since(started)
	return milliseconds(elapsed), milliseconds(processorTime() - before), err
}

func milliseconds(duration time.Duration) float64 {
	return float64(duration.Microseconds()) / 1000
}
