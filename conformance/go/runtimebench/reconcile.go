package runtimebench

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Rounds that are not measured.
const warmUpRounds = 3

type reconcileResult struct {
	PerSecond float64 `json:"perSecond"`
	CPUUs     float64 `json:"cpuUs"`
}

type requestQueue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// rounds enqueues every key and waits until all were reconciled.
type rounds struct {
	manager  ctrl.Manager
	keys     []reconcile.Request
	queues   chan requestQueue
	left     atomic.Int64
	finished chan struct{}
	failed   atomic.Pointer[error]
}

// runReconcile counts reconciles per second of cached ConfigMaps, one cached Get in each.
func runReconcile(ctx context.Context, config *rest.Config, o options) (any, error) {
	manager, err := newManager(config, o.namespace)
	if err != nil {
		return nil, err
	}
	r := &rounds{manager: manager, queues: make(chan requestQueue, 1), finished: make(chan struct{}, 1)}
	// The initial list is the first round.
	r.left.Store(int64(o.count))
	err = ctrl.NewControllerManagedBy(manager).
		For(&corev1.ConfigMap{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: o.workers}).
		WatchesRawSource(source.Func(func(_ context.Context, queue requestQueue) error {
			r.queues <- queue
			return nil
		})).
		Complete(reconcile.Func(r.reconcile))
	if err != nil {
		return nil, err
	}
	var result reconcileResult
	err = during(ctx, manager, func(ctx context.Context) error {
		result, err = r.measure(ctx, o)
		return err
	})
	return result, err
}

func (r *rounds) reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var object corev1.ConfigMap
	if err := r.manager.GetClient().Get(ctx, request.NamespacedName, &object); err != nil {
		r.failed.Store(&err)
	}
	if r.left.Add(-1) == 0 {
		r.finished <- struct{}{}
	}
	return reconcile.Result{}, nil
}

func (r *rounds) measure(ctx context.Context, o options) (reconcileResult, error) {
	if err := r.readKeys(ctx, o); err != nil {
		return reconcileResult{}, err
	}
	if err := r.wait(ctx); err != nil {
		return reconcileResult{}, err
	}
	queue := <-r.queues
	if err := r.repeat(ctx, queue, warmUpRounds); err != nil {
		return reconcileResult{}, err
	}
	start, cpu := time.Now(), cpuTime()
	if err := r.repeat(ctx, queue, o.rounds); err != nil {
		return reconcileResult{}, err
	}
	elapsed, used := time.Since(start), cpuTime()-cpu
	count := float64(o.rounds * o.count)
	return reconcileResult{PerSecond: count / elapsed.Seconds(), CPUUs: float64(used) / float64(time.Microsecond) / count}, nil
}

func (r *rounds) readKeys(ctx context.Context, o options) error {
	if !r.manager.GetCache().WaitForCacheSync(ctx) {
		return errors.New("the cache did not sync")
	}
	var list corev1.ConfigMapList
	if err := r.manager.GetClient().List(ctx, &list, client.InNamespace(o.namespace)); err != nil {
		return err
	}
	for i := range list.Items {
		r.keys = append(r.keys, reconcile.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
	}
	if len(r.keys) != o.count {
		return fmt.Errorf("%d ConfigMaps in namespace %s: expected %d", len(r.keys), o.namespace, o.count)
	}
	return nil
}

func (r *rounds) repeat(ctx context.Context, queue requestQueue, times int) error {
	for range times {
		r.left.Store(int64(len(r.keys)))
		for _, key := range r.keys {
			queue.Add(key)
		}
		if err := r.wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *rounds) wait(ctx context.Context) error {
	select {
	case <-r.finished:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := r.failed.Load(); err != nil {
		return *err
	}
	return nil
}
