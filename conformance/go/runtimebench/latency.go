package runtimebench

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"steersman.dev/conformance/go/load"
)

// Changes that are not measured.
const warmUpEvents = 500

// sighting is a reconcile that read a step.
type sighting struct {
	step string
	at   time.Time
}

type latencyResult struct {
	P50Ms float64 `json:"p50Ms"`
	P99Ms float64 `json:"p99Ms"`
	MaxMs float64 `json:"maxMs"`
}

// runLatency takes the time from sending a patch of a ConfigMap to the reconcile that reads the change from the cache, one patch after the other.
func runLatency(ctx context.Context, config *rest.Config, o options) (any, error) {
	manager, err := newManager(config, o.namespace)
	if err != nil {
		return nil, err
	}
	seen := make(chan sighting, 1024)
	err = ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(reconcile.Func(
		func(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
			var object corev1.ConfigMap
			if err := manager.GetClient().Get(ctx, request.NamespacedName, &object); err != nil {
				return reconcile.Result{}, client.IgnoreNotFound(err)
			}
			seen <- sighting{object.Data["step"], time.Now()}
			return reconcile.Result{}, nil
		}))
	if err != nil {
		return nil, err
	}
	var latencies load.Histogram
	err = during(ctx, manager, func(ctx context.Context) error {
		return patchAndWait(ctx, manager.GetClient(), o, seen, &latencies)
	})
	return latencyResult{
		P50Ms: milliseconds(latencies.Quantile(0.5)),
		P99Ms: milliseconds(latencies.Quantile(0.99)),
		MaxMs: milliseconds(latencies.Max()),
	}, err
}

func patchAndWait(ctx context.Context, writer client.Client, o options, seen <-chan sighting, latencies *load.Histogram) error {
	object := &corev1.ConfigMap{}
	object.Namespace, object.Name = o.namespace, "latency-go"
	if err := writer.Create(ctx, object); err != nil {
		return err
	}
	for i := range warmUpEvents + o.events {
		step := fmt.Sprint(i)
		start := time.Now()
		patch := client.RawPatch(types.MergePatchType, fmt.Appendf(nil, `{"data":{"step":%q}}`, step))
		if err := writer.Patch(ctx, object, patch); err != nil {
			return err
		}
		at, err := waitFor(ctx, seen, step)
		if err != nil {
			return err
		}
		if i >= warmUpEvents {
			latencies.Record(at.Sub(start))
		}
	}
	return writer.Delete(ctx, object)
}

func waitFor(ctx context.Context, seen <-chan sighting, step string) (time.Time, error) {
	for {
		select {
		case current := <-seen:
			if current.step == step {
				return current.at, nil
			}
		case <-ctx.Done():
			return time.Time{}, ctx.Err()
		}
	}
}
