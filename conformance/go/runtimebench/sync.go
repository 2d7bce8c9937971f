package runtimebench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type syncResult struct {
	SyncMs         float64 `json:"syncMs"`
	CPUMs          float64 `json:"cpuMs"`
	BytesPerObject float64 `json:"bytesPerObject"`
}

// runSync takes the time from the start of a manager until its cache of pods has synced, and the memory that they take.
func runSync(ctx context.Context, config *rest.Config, o options) (any, error) {
	manager, err := newManager(config, o.namespace)
	if err != nil {
		return nil, err
	}
	var result syncResult
	before := heap()
	start, cpu := time.Now(), cpuTime()
	err = during(ctx, manager, func(ctx context.Context) error {
		if _, err := manager.GetCache().GetInformer(ctx, &corev1.Pod{}); err != nil {
			return err
		}
		if !manager.GetCache().WaitForCacheSync(ctx) {
			return errors.New("the cache did not sync")
		}
		result.SyncMs = milliseconds(time.Since(start))
		result.CPUMs = milliseconds(cpuTime() - cpu)
		result.BytesPerObject = float64(heap()-before) / float64(o.count)
		return expectCount(ctx, manager.GetClient(), o)
	})
	return result, err
}

func expectCount(ctx context.Context, reader client.Reader, o options) error {
	var pods corev1.PodList
	if err := reader.List(ctx, &pods, client.InNamespace(o.namespace), client.UnsafeDisableDeepCopy); err != nil {
		return err
	}
	if len(pods.Items) != o.count {
		return fmt.Errorf("%d pods in the cache: expected %d", len(pods.Items), o.count)
	}
	return nil
}

// heap is what is alive, in bytes.
func heap() int64 {
	runtime.GC()
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}
