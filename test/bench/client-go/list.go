package main

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// listed is what a list took.
type listed struct {
	Ms    float64 `json:"ms"`
	CPUMs float64 `json:"cpuMs"`
}

// list lists all pods of the namespace shop, after one pod, so that nothing of a first request is measured.
func list(ctx context.Context, given settings) (any, error) {
	clientset, err := clientsetOf(given)
	if err != nil {
		return nil, err
	}
	pods := clientset.CoreV1().Pods("shop")
	if _, err := pods.List(ctx, metav1.ListOptions{Limit: 1}); err != nil {
		return nil, err
	}
	var measured listed
	measured.Ms, measured.CPUMs, err = timed(func() error {
		all, err := pods.List(ctx, metav1.ListOptions{})
		if err == nil && len(all.Items) != given.Count {
			err = fmt.Errorf("%d pods came instead of %d", len(all.Items), given.Count)
		}
		return err
	})
	return measured, err
}
