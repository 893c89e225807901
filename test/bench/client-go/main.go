// Command informer keeps a copy of all pods with client-go's shared informer, and prints what that took as JSON.
// It is measured beside kgen; nothing else uses it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// settings come as JSON in $SETTINGS; the certificates and the key are PEM.
type settings struct {
	Server string `json:"server"`
	CA     string `json:"ca"`
	Cert   string `json:"cert"`
	Key    string `json:"key"`
	Token  string `json:"token"`
	Count  int    `json:"count"`
}

// result is what is printed; memory is in bytes, as it is after two collections.
type result struct {
	Ms        float64 `json:"ms"`
	HeapBytes uint64  `json:"heapBytes"`
	HeapSys   uint64  `json:"heapSysBytes"`
	Resident  uint64  `json:"residentBytes"`
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	var given settings
	if err := json.Unmarshal([]byte(os.Getenv("SETTINGS")), &given); err != nil {
		return fmt.Errorf("$SETTINGS: %w", err)
	}
	clientset, err := kubernetes.NewForConfig(configOf(given))
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()

	factory := informers.NewSharedInformerFactory(clientset, 0)
	pods := factory.Core().V1().Pods()
	var added atomic.Int64
	registration, err := pods.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { added.Add(1) },
	})
	if err != nil {
		return err
	}

	started := time.Now()
	factory.Start(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), registration.HasSynced) {
		return fmt.Errorf("the informer was not synced")
	}
	elapsed := time.Since(started)

	read, err := readAll(pods.Lister().List(labels.Everything()))
	if err != nil {
		return err
	}
	if read != given.Count || int(added.Load()) != given.Count {
		return fmt.Errorf("%d pods came and %d were added instead of %d", read, added.Load(), given.Count)
	}
	measured := measure()
	measured.Ms = float64(elapsed.Microseconds()) / 1000
	runtime.KeepAlive(factory)
	return json.NewEncoder(os.Stdout).Encode(measured)
}

func configOf(given settings) *rest.Config {
	return &rest.Config{
		Host:        given.Server,
		BearerToken: given.Token,
		TLSClientConfig: rest.TLSClientConfig{
			CAData:   []byte(given.CA),
			CertData: []byte(given.Cert),
			KeyData:  []byte(given.Key),
		},
	}
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

func measure() result {
	runtime.GC()
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	return result{HeapBytes: memory.HeapAlloc, HeapSys: memory.HeapSys, Resident: residentBytes()}
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
