// Command vectors writes objects of every built-in kind as JSON and as protobuf, both by Kubernetes' own Go code: what Steersman's codec is held against.
//
//	go run . (in this folder) rewrites packages/apiserver/src/schema/golden/protobuf
//
// The kinds are those that the facts say a real API server serves, with the bodies of their subresources, a list of each, and the bodies that every
// group has. Each is written zero (nothing set), full (every field of every struct is set at its first chance) and random. The seed is fixed: writing again changes
// nothing.
package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"sort"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// vector is one object in both forms.
type vector struct {
	definition string
	variant    string
	json       []byte
	protobuf   []byte
}

// message is what every kind's Go type can do.
type message interface {
	Marshal() ([]byte, error)
	Unmarshal([]byte) error
}

var metaBodies = []message{
	&metav1.CreateOptions{}, &metav1.DeleteOptions{}, &metav1.GetOptions{}, &metav1.ListOptions{}, &metav1.PartialObjectMetadata{},
	&metav1.PatchOptions{}, &metav1.Status{}, &metav1.UpdateOptions{}, &metav1.APIGroupList{}, &metav1.APIResourceList{}, &metav1.APIVersions{},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "vectors:", err)
		os.Exit(1)
	}
}

func run() error {
	factsPath := flag.String("facts", "../../../hack/apigen/facts.json", "facts about the served kinds")
	out := flag.String("out", "../../../packages/apiserver/src/schema/golden/protobuf", "folder of the vectors")
	flag.Parse()
	known := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme} {
		if err := add(known); err != nil {
			return err
		}
	}
	kinds, err := servedKinds(*factsPath)
	if err != nil {
		return err
	}
	files := map[string][]vector{}
	filler := newFiller()
	for _, gvk := range kinds {
		for _, kind := range []string{gvk.Kind, gvk.Kind + "List"} {
			goType, ok := known.AllKnownTypes()[gvk.GroupVersion().WithKind(kind)]
			if !ok {
				continue
			}
			vectors, err := vectorsOf(goType, filler)
			if err != nil {
				return fmt.Errorf("%s %s: %w", gvk.GroupVersion(), kind, err)
			}
			name := strings.ReplaceAll(gvk.GroupVersion().String(), "/", ".")
			files[name] = append(files[name], vectors...)
		}
	}
	for _, body := range metaBodies {
		vectors, err := vectorsOf(reflect.TypeOf(body).Elem(), filler)
		if err != nil {
			return err
		}
		files["meta"] = append(files["meta"], vectors...)
	}
	return write(*out, files)
}

// servedKinds lists the kinds of all resources and subresources that the facts tell of.
func servedKinds(path string) ([]schema.GroupVersionKind, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var facts struct {
		Resources map[string][]struct {
			Kind         string
			Subresources []struct{ Group, Version, Kind string }
		}
	}
	if err := json.Unmarshal(data, &facts); err != nil {
		return nil, err
	}
	seen := map[schema.GroupVersionKind]bool{}
	for name, resources := range facts.Resources {
		own, err := schema.ParseGroupVersion(name)
		if err != nil {
			return nil, err
		}
		for _, resource := range resources {
			seen[own.WithKind(resource.Kind)] = true
			for _, subresource := range resource.Subresources {
				groupVersion := own
				if subresource.Version != "" {
					groupVersion = schema.GroupVersion{Group: subresource.Group, Version: subresource.Version}
				}
				seen[groupVersion.WithKind(subresource.Kind)] = true
			}
		}
	}
	list := []schema.GroupVersionKind{}
	for gvk := range seen {
		list = append(list, gvk)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].String() < list[j].String() })
	return list, nil
}

func vectorsOf(goType reflect.Type, filler *filler) ([]vector, error) {
	variants := []struct {
		name string
		fill func(reflect.Value)
	}{
		{"zero", func(reflect.Value) {}},
		{"full", func(value reflect.Value) { filler.fill(value, seeded(goType, "full")) }},
		{"random", func(value reflect.Value) { filler.fill(value, seeded(goType, "random")) }},
	}
	if strings.HasSuffix(goType.Name(), "List") {
		variants = variants[:2]
	}
	vectors := []vector{}
	for _, variant := range variants {
		object := reflect.New(goType)
		variant.fill(object.Elem())
		inJSON, inProtobuf, err := bothForms(object)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", variant.name, err)
		}
		vectors = append(vectors, vector{definitionOf(goType), variant.name, inJSON, inProtobuf})
	}
	return vectors, nil
}

// bothForms goes from form to form until nothing is lost any more: not every Go value can be told in JSON.
func bothForms(object reflect.Value) ([]byte, []byte, error) {
	for round := 0; round < 4; round++ {
		inProtobuf, err := object.Interface().(message).Marshal()
		if err != nil {
			return nil, nil, err
		}
		decoded := reflect.New(object.Type().Elem())
		if err := decoded.Interface().(message).Unmarshal(inProtobuf); err != nil {
			return nil, nil, err
		}
		inJSON, err := json.Marshal(decoded.Interface())
		if err != nil {
			return nil, nil, err
		}
		object = reflect.New(object.Type().Elem())
		if err := json.Unmarshal(inJSON, object.Interface()); err != nil {
			return nil, nil, err
		}
		again, err := object.Interface().(message).Marshal()
		if err != nil {
			return nil, nil, err
		}
		if bytes.Equal(inProtobuf, again) {
			return inJSON, inProtobuf, nil
		}
	}
	return nil, nil, fmt.Errorf("JSON and protobuf do not agree")
}

func definitionOf(goType reflect.Type) string {
	return reflect.New(goType).Interface().(interface{ OpenAPIModelName() string }).OpenAPIModelName()
}

func seeded(goType reflect.Type, variant string) *rand.Rand {
	hash := fnv.New64a()
	hash.Write([]byte(goType.PkgPath() + goType.Name() + variant))
	return rand.New(rand.NewSource(int64(hash.Sum64())))
}

// write makes one file per group version, one line per vector.
func write(folder string, files map[string][]vector) error {
	for name, vectors := range files {
		out := &bytes.Buffer{}
		out.WriteString("[\n")
		for i, vector := range vectors {
			separator := ","
			if i == len(vectors)-1 {
				separator = ""
			}
			fmt.Fprintf(out, "{\"definition\":%q,\"variant\":%q,\"protobuf\":%q,\"json\":%s}%s\n", vector.definition, vector.variant,
				base64.StdEncoding.EncodeToString(vector.protobuf), vector.json, separator)
		}
		out.WriteString("]\n")
		if err := os.WriteFile(filepath.Join(folder, name+".json"), out.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}
