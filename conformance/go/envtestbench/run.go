// Package envtestbench is a small envtest suite, as the tests of an operator in Go are: what it takes depends on the executables that envtest starts.
package envtestbench

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// What a suite waits at most, and how often it looks; the latter is Gomega's default.
const (
	timeLimit = time.Minute
	pollEvery = 10 * time.Millisecond
)

// The controller copies the data of a ConfigMap into this annotation.
const copyAnnotation = "example.com/copy"

type result struct {
	StartMs float64 `json:"startMs"`
	SuiteMs float64 `json:"suiteMs"`
}

// Run is the command `envtest`.
func Run(args []string) error {
	flags := flag.NewFlagSet("envtest", flag.ExitOnError)
	assets := flags.String("assets", "", "folder of etcd and kube-apiserver")
	specs := flags.Int("specs", 20, "how many specs the suite has")
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctrl.SetLogger(logr.Discard())
	environment := &envtest.Environment{BinaryAssetsDirectory: *assets, CRDs: []*apiextensionsv1.CustomResourceDefinition{definition()}}
	begin := time.Now()
	config, err := environment.Start()
	if err != nil {
		return errors.Join(err, environment.Stop())
	}
	r := result{StartMs: milliseconds(time.Since(begin))}
	err = errors.Join(suite(config, *specs), environment.Stop())
	r.SuiteMs = milliseconds(time.Since(begin))
	if err != nil {
		return fmt.Errorf("envtest: %w", err)
	}
	return json.NewEncoder(os.Stdout).Encode(r)
}

func suite(config *rest.Config, specs int) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeLimit)
	defer cancel()
	config.QPS = -1
	config.ContentType = runtime.ContentTypeJSON
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		return err
	}
	manager, err := ctrl.NewManager(config, ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"}})
	if err != nil {
		return err
	}
	copies := &copier{manager.GetClient()}
	if err := ctrl.NewControllerManagedBy(manager).For(&corev1.ConfigMap{}).Complete(copies); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- manager.Start(ctx) }()
	// As suites do, the specs read from the server and not from the manager's cache.
	live, err := client.New(config, client.Options{Scheme: scheme})
	for i := 0; i < specs && err == nil; i++ {
		err = spec(ctx, live, fmt.Sprintf("spec-%d", i))
	}
	cancel()
	return errors.Join(err, <-ended)
}

// spec creates an object in a namespace of its own, changes it and deletes it, and waits for the controller each time.
func spec(ctx context.Context, live client.Client, namespace string) error {
	if err := live.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespace}}); err != nil {
		return err
	}
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: "subject"}, Data: map[string]string{"value": "one"}}
	if err := live.Create(ctx, object); err != nil {
		return err
	}
	if err := eventuallyCopied(ctx, live, object, "one"); err != nil {
		return err
	}
	object.Data["value"] = "two"
	if err := live.Update(ctx, object); err != nil {
		return err
	}
	if err := eventuallyCopied(ctx, live, object, "two"); err != nil {
		return err
	}
	return live.Delete(ctx, object)
}

func eventuallyCopied(ctx context.Context, live client.Client, object *corev1.ConfigMap, value string) error {
	return wait.PollUntilContextCancel(ctx, pollEvery, true, func(ctx context.Context) (bool, error) {
		err := live.Get(ctx, client.ObjectKeyFromObject(object), object)
		return object.Annotations[copyAnnotation] == value, err
	})
}

type copier struct{ client.Client }

func (c *copier) Reconcile(ctx context.Context, request reconcile.Request) (reconcile.Result, error) {
	var object corev1.ConfigMap
	if err := c.Get(ctx, request.NamespacedName, &object); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	value := object.Data["value"]
	if value == "" || object.Annotations[copyAnnotation] == value {
		return reconcile.Result{}, nil
	}
	original := object.DeepCopy()
	metav1.SetMetaDataAnnotation(&object.ObjectMeta, copyAnnotation, value)
	return reconcile.Result{}, client.IgnoreNotFound(c.Patch(ctx, &object, client.MergeFrom(original)))
}

// definition is installed as part of the start, as the CRDs of an operator are.
func definition() *apiextensionsv1.CustomResourceDefinition {
	object := apiextensionsv1.JSONSchemaProps{Type: "object"}
	object.Properties = map[string]apiextensionsv1.JSONSchemaProps{"spec": {Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{"image": {Type: "string"}}}}
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "subjects.example.com"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "example.com",
			Scope: apiextensionsv1.NamespaceScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "subjects", Singular: "subject", Kind: "Subject", ListKind: "SubjectList"},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{
				Name: "v1", Served: true, Storage: true, Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &object},
			}},
		},
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
