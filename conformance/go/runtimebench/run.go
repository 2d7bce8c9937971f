// Package runtimebench measures Go's controller-runtime the way the bench measures ours: on a server that holds the objects already.
package runtimebench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"syscall"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

// timeLimit ends a run in which something is missing.
const timeLimit = 5 * time.Minute

// options are the flags of all modes.
type options struct {
	kubeconfig  string
	namespace   string
	contentType string
	count       int
	workers     int
	rounds      int
	events      int
}

var modes = map[string]func(ctx context.Context, config *rest.Config, o options) (any, error){
	"sync":      runSync,
	"reconcile": runReconcile,
	"latency":   runLatency,
}

// Run is the command `runtime sync|reconcile|latency`.
func Run(args []string) error {
	if len(args) == 0 || modes[args[0]] == nil {
		return errors.New("runtime: expected sync, reconcile or latency")
	}
	var o options
	flags := flag.NewFlagSet("runtime "+args[0], flag.ExitOnError)
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "kubeconfig of the server")
	flags.StringVar(&o.namespace, "namespace", "default", "namespace of the objects")
	flags.StringVar(&o.contentType, "content-type", runtime.ContentTypeJSON, "what the client asks for")
	flags.IntVar(&o.count, "count", 1000, "objects in the namespace")
	flags.IntVar(&o.workers, "workers", 1, "reconcile: reconciles at the same time")
	flags.IntVar(&o.rounds, "rounds", 10, "reconcile: how often every object is reconciled while it is measured")
	flags.IntVar(&o.events, "events", 500, "latency: how many changes")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", o.kubeconfig)
	if err != nil {
		return err
	}
	config.QPS = -1
	config.ContentType = o.contentType
	ctrl.SetLogger(logr.Discard())
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	result, err := modes[args[0]](ctx, config, o)
	if err != nil {
		return fmt.Errorf("runtime %s: %w", args[0], err)
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

// newManager makes a manager that caches one namespace and, like ours, drops managedFields.
func newManager(config *rest.Config, namespace string) (ctrl.Manager, error) {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return nil, err
	}
	return ctrl.NewManager(config, ctrl.Options{
		Scheme:  scheme,
		Metrics: metricsserver.Options{BindAddress: "0"},
		Cache: cache.Options{
			DefaultNamespaces: map[string]cache.Config{namespace: {}},
			DefaultTransform:  cache.TransformStripManagedFields(),
		},
	})
}

// during runs a manager while work runs, and gives the first error of the two.
func during(ctx context.Context, manager ctrl.Manager, work func(ctx context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		defer cancel()
		ended <- manager.Start(ctx)
	}()
	err := work(ctx)
	cancel()
	return errors.Join(<-ended, err)
}

// cpuTime is the processor time that this process has used.
func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
