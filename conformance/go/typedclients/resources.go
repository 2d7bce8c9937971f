package typedclients

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
)

// resource is one typed interface of the clientset, such as CoreV1().Pods("default").
type resource struct {
	// name is how Go reaches it: CoreV1.Pods.
	name   string
	kind   schema.GroupVersionKind
	client reflect.Value
	// verbs are what the server serves of it.
	verbs metav1.Verbs
}

// resources lists every typed interface of a clientset that creates or lists objects.
func resources(clientset *kubernetes.Clientset, namespace string) ([]resource, error) {
	list := []resource{}
	clients := reflect.ValueOf(clientset)
	for i := 0; i < clients.NumMethod(); i++ {
		groupName := clients.Type().Method(i).Name
		group := clients.Method(i)
		// DiscoveryClient and RESTClient are no groups.
		if !strings.Contains(groupName, "V") || group.Type().NumIn() != 0 || group.Type().NumOut() != 1 {
			continue
		}
		version := group.Call(nil)[0]
		for j := 0; j < version.NumMethod(); j++ {
			found, ok, err := resourceOf(groupName+"."+version.Type().Method(j).Name, version.Method(j), namespace)
			if err != nil {
				return nil, err
			}
			if ok {
				list = append(list, found)
			}
		}
	}
	return list, nil
}

func resourceOf(name string, getter reflect.Value, namespace string) (resource, bool, error) {
	arguments := []reflect.Value{}
	if getter.Type().NumIn() == 1 && getter.Type().In(0).Kind() == reflect.String {
		arguments = append(arguments, reflect.ValueOf(namespace))
	}
	if getter.Type().NumIn() != len(arguments) || getter.Type().NumOut() != 1 || getter.Type().Out(0).Kind() != reflect.Interface {
		return resource{}, false, nil
	}
	objectType := objectTypeOf(getter.Type().Out(0))
	if objectType == nil {
		return resource{}, false, nil
	}
	object := reflect.New(objectType.Elem()).Interface().(runtime.Object)
	kinds, _, err := scheme.Scheme.ObjectKinds(object)
	if err != nil {
		return resource{}, false, fmt.Errorf("%s: %w", name, err)
	}
	return resource{name: name, kind: kinds[0], client: getter.Call(arguments)[0]}, true, nil
}

// objectTypeOf is the type that Create or Get returns; nil for an interface that has neither.
func objectTypeOf(client reflect.Type) reflect.Type {
	for _, name := range []string{"Create", "Get"} {
		if method, ok := client.MethodByName(name); ok && method.Type.NumOut() == 2 {
			return method.Type.Out(0)
		}
	}
	return nil
}

// can tells whether both the interface and the server have a verb, by its method's name.
func (r resource) can(method string) bool {
	return r.client.MethodByName(method).IsValid() && slices.Contains(r.verbs, strings.ToLower(method))
}

func (r resource) call(ctx context.Context, verb string, arguments ...any) (any, error) {
	values := []reflect.Value{reflect.ValueOf(ctx)}
	for _, argument := range arguments {
		values = append(values, reflect.ValueOf(argument))
	}
	results := r.client.MethodByName(verb).Call(values)
	err, _ := results[len(results)-1].Interface().(error)
	if len(results) == 1 {
		return nil, err
	}
	return results[0].Interface(), err
}

func (r resource) create(ctx context.Context, object runtime.Object) (metav1.Object, error) {
	created, err := r.call(ctx, "Create", object, metav1.CreateOptions{FieldManager: "typed-clients"})
	if err != nil {
		return nil, err
	}
	return created.(metav1.Object), nil
}

func (r resource) get(ctx context.Context, name string) (metav1.Object, error) {
	object, err := r.call(ctx, "Get", name, metav1.GetOptions{})
	if err != nil {
		return nil, err
	}
	return object.(metav1.Object), nil
}

// list returns the revision of the list and the names in it.
func (r resource) list(ctx context.Context) (string, []string, error) {
	list, err := r.call(ctx, "List", metav1.ListOptions{})
	if err != nil {
		return "", nil, err
	}
	names := []string{}
	items := reflect.ValueOf(list).Elem().FieldByName("Items")
	for i := 0; i < items.Len(); i++ {
		names = append(names, items.Index(i).Addr().Interface().(metav1.Object).GetName())
	}
	return list.(metav1.ListInterface).GetResourceVersion(), names, nil
}

func (r resource) watch(ctx context.Context, revision string) (watch.Interface, error) {
	watcher, err := r.call(ctx, "Watch", metav1.ListOptions{ResourceVersion: revision})
	if err != nil {
		return nil, err
	}
	return watcher.(watch.Interface), nil
}

func (r resource) label(ctx context.Context, name string) error {
	object, err := r.get(ctx, name)
	if err != nil {
		return err
	}
	object.SetLabels(map[string]string{"typed": "true"})
	_, err = r.call(ctx, "Update", object, metav1.UpdateOptions{})
	return err
}

func (r resource) delete(ctx context.Context, name string) error {
	zero := int64(0)
	_, err := r.call(ctx, "Delete", name, metav1.DeleteOptions{GracePeriodSeconds: &zero})
	return err
}
