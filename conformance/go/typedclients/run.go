// Package typedclients drives every typed interface of client-go, which speaks protobuf: creates, gets, lists, watches, updates and deletes an object of each kind.
package typedclients

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/util/retry"
)

const (
	namespace = "default"
	// eventTimeout is how long an event may take.
	eventTimeout = 5 * time.Second
)

// Outcome is what became of one kind.
type Outcome struct {
	Resource string `json:"resource"`
	Kind     string `json:"kind"`
	// Steps that went well, in order.
	Steps []string `json:"steps"`
	// Error is empty when all went well.
	Error string `json:"error,omitempty"`
}

// Run reads `--objects`, a JSON array of objects that the server accepts, and prints a JSON array of outcomes.
func Run(args []string) error {
	flags := flag.NewFlagSet("typed", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "kubeconfig of an administrator")
	objectsPath := flags.String("objects", "", "file with a JSON array of one object of each kind")
	if err := flags.Parse(args); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	config.QPS, config.Burst = -1, 0
	clientset, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	objects, err := readObjects(*objectsPath)
	if err != nil {
		return err
	}
	served, err := servedKinds(clientset)
	if err != nil {
		return err
	}
	list, err := resources(clientset, namespace)
	if err != nil {
		return err
	}
	outcomes := []Outcome{}
	for _, r := range list {
		if verbs, isServed := served[r.kind]; isServed {
			r.verbs = verbs
			outcomes = append(outcomes, drive(r, objects[r.kind]))
		}
	}
	return json.NewEncoder(os.Stdout).Encode(outcomes)
}

func readObjects(path string) (map[schema.GroupVersionKind]runtime.Object, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	raw := []json.RawMessage{}
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	objects := map[schema.GroupVersionKind]runtime.Object{}
	for _, text := range raw {
		object, kind, err := scheme.Codecs.UniversalDeserializer().Decode(text, nil, nil)
		if runtime.IsNotRegisteredError(err) {
			// A kind that client-go has no types of.
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		objects[*kind] = object
	}
	return objects, nil
}

// servedKinds are the kinds of the resources that discovery lists, with what it says can be done with them.
func servedKinds(clientset *kubernetes.Clientset) (map[schema.GroupVersionKind]metav1.Verbs, error) {
	_, lists, err := clientset.Discovery().ServerGroupsAndResources()
	if err != nil {
		return nil, err
	}
	served := map[schema.GroupVersionKind]metav1.Verbs{}
	for _, list := range lists {
		groupVersion, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return nil, err
		}
		for _, r := range list.APIResources {
			if !strings.Contains(r.Name, "/") {
				served[groupVersion.WithKind(r.Kind)] = r.Verbs
			}
		}
	}
	return served, nil
}

func drive(r resource, object runtime.Object) Outcome {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	outcome := Outcome{Resource: r.name, Kind: r.kind.String(), Steps: []string{}}
	if err := steps(ctx, r, object, func(step string) { outcome.Steps = append(outcome.Steps, step) }); err != nil {
		outcome.Error = err.Error()
	}
	return outcome
}

func steps(ctx context.Context, r resource, object runtime.Object, done func(string)) error {
	var events watch.Interface
	if r.can("List") {
		revision, _, err := r.list(ctx)
		if err != nil {
			return fmt.Errorf("list: %w", err)
		}
		done("list")
		if r.can("Watch") && r.can("Create") {
			if events, err = r.watch(ctx, revision); err != nil {
				return fmt.Errorf("watch: %w", err)
			}
			defer events.Stop()
		}
	}
	if !r.can("Create") {
		return nil
	}
	if object == nil {
		return fmt.Errorf("no object of this kind to create")
	}
	created, err := r.create(ctx, object)
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}
	done("create")
	if !r.can("Get") {
		return nil
	}
	return live(ctx, r, created, events, done)
}

// live follows an object from its creation to its end.
func live(ctx context.Context, r resource, created metav1.Object, events watch.Interface, done func(string)) error {
	name := created.GetName()
	if err := expectEvent(events, watch.Added, name); err != nil {
		return err
	}
	done("watch")
	read, err := r.get(ctx, name)
	if err != nil {
		return fmt.Errorf("get: %w", err)
	}
	if read.GetUID() != created.GetUID() {
		return fmt.Errorf("get: uid %q, and %q when it was created", read.GetUID(), created.GetUID())
	}
	done("get")
	if _, names, err := r.list(ctx); err != nil || !slices.Contains(names, name) {
		return fmt.Errorf("list: %q is not among %q (%v)", name, names, err)
	}
	// The server itself writes the status of some.
	if err := retry.RetryOnConflict(retry.DefaultRetry, func() error { return r.label(ctx, name) }); err != nil {
		return fmt.Errorf("update: %w", err)
	}
	done("update")
	if err := r.delete(ctx, name); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	if err := expectEvent(events, watch.Modified, name); err != nil {
		return err
	}
	done("delete")
	return nil
}

// expectEvent waits for an event of an object; those of others are passed over.
func expectEvent(events watch.Interface, wanted watch.EventType, name string) error {
	timeout := time.After(eventTimeout)
	for {
		select {
		case event, isOpen := <-events.ResultChan():
			if !isOpen {
				return fmt.Errorf("watch: ended before %s of %q", wanted, name)
			}
			if object, ok := event.Object.(metav1.Object); ok && event.Type == wanted && object.GetName() == name {
				return nil
			}
		case <-timeout:
			return fmt.Errorf("watch: no %s of %q within %s", wanted, name, eventTimeout)
		}
	}
}
