// Command gostructs writes how the real server's own structs look as JSON: refusals show values in that form. What it writes, and why, stands in the README.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	batchv1 "k8s.io/api/batch/v1"
	certificatesv1 "k8s.io/api/certificates/v1"
	corev1 "k8s.io/api/core/v1"
	flowcontrolv1 "k8s.io/api/flowcontrol/v1"
	resourcev1 "k8s.io/api/resource/v1"
	resourcev1alpha3 "k8s.io/api/resource/v1alpha3"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/pkg/apis/certificates"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/flowcontrol"
	dra "k8s.io/kubernetes/pkg/apis/resource"
)

const output = "packages/apiserver/src/registry/shared/go-structs.generated.ts"

// pairs are the structs that refusals show as a whole, each with its form on the wire.
var pairs = []struct{ own, wire any }{
	{core.PodTemplateSpec{}, corev1.PodTemplateSpec{}},
	{core.PersistentVolumeClaim{}, corev1.PersistentVolumeClaim{}},
	{core.PersistentVolumeSource{}, corev1.PersistentVolumeSource{}},
	{core.VolumeNodeAffinity{}, corev1.VolumeNodeAffinity{}},
	{batch.PodFailurePolicy{}, batchv1.PodFailurePolicy{}},
	{batch.SuccessPolicy{}, batchv1.SuccessPolicy{}},
	{certificates.PodCertificateRequestSpec{}, certificatesv1.PodCertificateRequestSpec{}},
	{flowcontrol.FlowSchemaSpec{}, flowcontrolv1.FlowSchemaSpec{}},
	{flowcontrol.PriorityLevelConfigurationSpec{}, flowcontrolv1.PriorityLevelConfigurationSpec{}},
	{dra.ResourceClaimTemplateSpec{}, resourcev1.ResourceClaimTemplateSpec{}},
	{dra.ResourcePoolStatusRequestStatus{}, resourcev1alpha3.ResourcePoolStatusRequestStatus{}},
}

func main() {
	root := flag.String("root", "../..", "root of the repository")
	flag.Parse()
	w := &writer{structs: map[string]string{}}
	for _, pair := range pairs {
		w.add(reflect.TypeOf(pair.own), reflect.TypeOf(pair.wire))
	}
	names := []string{}
	for name := range w.structs {
		names = append(names, name)
	}
	slices.Sort(names)
	text := &strings.Builder{}
	text.WriteString("// Written by hack/gostructs. Do not edit.\n\n/** The members of structs of the real server, in its order. The format is explained where they are read. */\n")
	text.WriteString("export const goStructs: Readonly<Record<string, string>> = {\n")
	for _, name := range names {
		fmt.Fprintf(text, "  %s: '%s',\n", name, w.structs[name])
	}
	text.WriteString("}\n")
	if err := writeText(filepath.Join(*root, filepath.FromSlash(output)), text.String()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// writeText writes a file and the folders it lies in.
func writeText(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}

type writer struct {
	structs map[string]string
}

// add writes down a struct; `wire` has the same fields under the names of JSON.
func (w *writer) add(own, wire reflect.Type) {
	if _, known := w.structs[own.Name()]; known {
		return
	}
	w.structs[own.Name()] = ""
	w.structs[own.Name()] = strings.Join(w.members(own, wire), " ")
}

func (w *writer) members(own, wire reflect.Type) []string {
	members := []string{}
	for i := 0; i < own.NumField(); i++ {
		field := own.Field(i)
		if !field.IsExported() || field.Type == reflect.TypeFor[metav1.TypeMeta]() {
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		wireField, onWire := wire.FieldByName(field.Name)
		if field.Anonymous && name == "" {
			if !onWire {
				panic(fmt.Sprintf("%s.%s is not on the wire", own, field.Name))
			}
			source := jsonName(wireField)
			if source == "" {
				// Its fields stand among those of the outer struct, on the wire too.
				members = append(members, w.members(field.Type, wireField.Type)...)
			} else {
				w.add(field.Type, wireField.Type)
				members = append(members, "@"+source+"^"+field.Type.Name())
			}
			continue
		}
		if name == "" {
			name = field.Name
		}
		if strings.Contains(options, "omitempty") {
			name = "~" + name
		}
		source := ""
		wireType := field.Type
		if onWire {
			source, wireType = jsonName(wireField), wireField.Type
		}
		members = append(members, name+"="+source+w.kind(field.Type, wireType))
	}
	return members
}

func jsonName(field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	return name
}

// opaque are structs with a JSON of their own.
var opaque = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time](): "?", reflect.TypeFor[metav1.MicroTime](): "?", reflect.TypeFor[runtime.RawExtension](): "?",
	reflect.TypeFor[metav1.FieldsV1](): "?", reflect.TypeFor[resource.Quantity](): "$", reflect.TypeFor[intstr.IntOrString](): "#",
}

// kind says what stands there when there is nothing, and what struct there is.
func (w *writer) kind(own, wire reflect.Type) string {
	if kind, ok := opaque[own]; ok {
		return kind
	}
	switch own.Kind() {
	case reflect.String:
		return ""
	case reflect.Bool:
		return "!"
	case reflect.Struct:
		w.add(own, pointed(wire))
		return "^" + own.Name()
	case reflect.Pointer:
		return w.nested(own.Elem(), wire, "?")
	case reflect.Slice:
		return w.nested(own.Elem(), wire, "[")
	case reflect.Map:
		return w.nested(own.Elem(), wire, "{")
	case reflect.Interface:
		return "?"
	default:
		return "#"
	}
}

func (w *writer) nested(element, wire reflect.Type, prefix string) string {
	if _, ok := opaque[element]; ok || element.Kind() != reflect.Struct {
		if prefix == "{" {
			return "{"
		}
		return "?"
	}
	w.add(element, pointed(wire))
	return prefix + element.Name()
}

func pointed(wire reflect.Type) reflect.Type {
	for wire.Kind() == reflect.Pointer || wire.Kind() == reflect.Slice || wire.Kind() == reflect.Map {
		wire = wire.Elem()
	}
	return wire
}
