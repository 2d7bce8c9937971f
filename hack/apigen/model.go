package main

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
)

// metaTypes are types of meta.k8s.io that no resource holds: bodies of requests and answers that every group has.
var metaTypes = []any{
	metav1.APIGroupList{}, metav1.APIResourceList{}, metav1.APIVersions{}, metav1.CreateOptions{}, metav1.DeleteOptions{}, metav1.GetOptions{}, metav1.ListMeta{},
	metav1.ListOptions{}, metav1.ObjectMeta{}, metav1.PartialObjectMetadata{}, metav1.PatchOptions{}, metav1.Status{}, metav1.UpdateOptions{},
}

// definition is one struct of the API.
type definition struct {
	// name is the OpenAPI definition name, io.k8s.api.core.v1.PodSpec.
	name     string
	typeName string
	// folder of the file that declares it; "" for meta.
	folder string
	// version of the folder.
	version string
	fields  []field
	// kind is set for a root object.
	kind         string
	groupVersion string
}

type field struct {
	name     string
	required bool
	// alwaysPresent: part of a status that Go writes even when it is empty, so whoever reads finds it.
	alwaysPresent bool
	// shape: prefixes [] and {} and a base: a scalar word or a definition name.
	prefixes []string
	base     string
	// goName: Go's name of a string type of its own; refusals of values show it.
	goName string
	// goList, goMap and goKey: Go's names of a list type, of a map type and of the keys of a map, where they have names of their own.
	goList, goMap, goKey string
	// omitsZero: Go leaves the field out when it is empty, zero or false.
	omitsZero bool
	// omitsZeroStruct: Go leaves a struct value out when all in it is zero.
	omitsZeroStruct bool
	// null: Go writes null when it holds nothing.
	null bool
	// protobuf: numbers from the outermost message inwards, "5", "2.5"; "?" after a pointer's, "w" for a list with a message of its own.
	protobuf string
	markers  Markers
}

// scalars are Go types that have a JSON form of their own.
var scalars = map[string]string{
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                                             "Time",
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                                        "MicroTime",
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                                         "Duration",
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                                         "FieldsV1",
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                                         "Quantity",
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                                       "IntOrString",
	"k8s.io/apimachinery/pkg/runtime.RawExtension":                                          "object",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSON":                         "any",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrArray":       "any",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrBool":        "any",
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.JSONSchemaPropsOrStringArray": "any",
}

// model collects the definitions reachable from the served kinds.
type model struct {
	facts       *Facts
	definitions map[string]*definition
}

func buildModel(facts *Facts) (*model, error) {
	m := &model{facts: facts, definitions: map[string]*definition{}}
	known := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, apiextensionsv1.AddToScheme, apiregistrationv1.AddToScheme} {
		if err := add(known); err != nil {
			return nil, err
		}
	}
	for _, metaType := range metaTypes {
		if _, err := m.define(reflect.TypeOf(metaType)); err != nil {
			return nil, err
		}
	}
	for _, groupVersion := range facts.groupVersions() {
		for _, gvk := range kindsOf(groupVersion, facts.Resources[groupVersion]) {
			goType, ok := known.AllKnownTypes()[gvk]
			if !ok {
				return nil, fmt.Errorf("the Go modules have no %s", gvk)
			}
			d, err := m.define(goType)
			if err != nil {
				return nil, err
			}
			d.kind, d.groupVersion = gvk.Kind, gvk.GroupVersion().String()
		}
	}
	return m, nil
}

// kindsOf lists the kinds of the resources of a group version and of their subresources.
func kindsOf(groupVersion string, resources []Resource) []schema.GroupVersionKind {
	own, _ := schema.ParseGroupVersion(groupVersion)
	seen := map[schema.GroupVersionKind]bool{}
	list := []schema.GroupVersionKind{}
	add := func(gvk schema.GroupVersionKind) {
		if !seen[gvk] {
			seen[gvk] = true
			list = append(list, gvk)
		}
	}
	for _, resource := range resources {
		add(own.WithKind(resource.Kind))
		for _, subresource := range resource.Subresources {
			if subresource.Version == "" {
				add(own.WithKind(subresource.Kind))
			} else {
				add(schema.GroupVersionKind{Group: subresource.Group, Version: subresource.Version, Kind: subresource.Kind})
			}
		}
	}
	return list
}

func (m *model) sorted() []*definition {
	list := []*definition{}
	for _, d := range m.definitions {
		list = append(list, d)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].name < list[j].name })
	return list
}

func openAPIName(goType reflect.Type) string {
	if named, ok := reflect.New(goType).Elem().Interface().(interface{ OpenAPIModelName() string }); ok {
		return named.OpenAPIModelName()
	}
	return ""
}

func (m *model) define(goType reflect.Type) (*definition, error) {
	name := openAPIName(goType)
	if name == "" {
		return nil, fmt.Errorf("%s.%s has no OpenAPI name", goType.PkgPath(), goType.Name())
	}
	if known := m.definitions[name]; known != nil {
		return known, nil
	}
	d := &definition{name: name, typeName: goType.Name()}
	d.folder, d.version = folderOf(goType.PkgPath())
	m.definitions[name] = d
	fields, err := m.fieldsOf(goType, d, "")
	if err != nil {
		return nil, err
	}
	d.fields = fields
	return d, nil
}

func folderOf(pkgPath string) (string, string) {
	parts := strings.Split(pkgPath, "/")
	last, before := parts[len(parts)-1], parts[len(parts)-2]
	if before == "meta" {
		return "", last
	}
	return before, last
}

func (m *model) fieldsOf(goType reflect.Type, d *definition, outer string) ([]field, error) {
	fields := []field{}
	for i := 0; i < goType.NumField(); i++ {
		goField := goType.Field(i)
		if !goField.IsExported() {
			continue
		}
		tag, options, _ := strings.Cut(goField.Tag.Get("json"), ",")
		if tag == "-" {
			continue
		}
		if tag == "" && goField.Anonymous || strings.Contains(options, "inline") {
			inlined := goField.Type
			if inlined.Kind() == reflect.Pointer {
				inlined = inlined.Elem()
			}
			number := protobufNumber(goField)
			if number != "" {
				number = outer + number + "."
			}
			nested, err := m.fieldsOf(inlined, d, number)
			if err != nil {
				return nil, err
			}
			if number == "" {
				// A struct without a number, such as TypeMeta, is not in the message.
				for j := range nested {
					nested[j].protobuf = ""
				}
			}
			fields = append(fields, nested...)
			continue
		}
		if tag == "" {
			continue
		}
		f := field{
			name:     tag,
			required: slices.Contains(m.facts.Required[d.name], tag),
			alwaysPresent: !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") && isScalar(goField.Type.Kind()) &&
				(strings.HasSuffix(d.typeName, "Condition") || strings.HasSuffix(d.typeName, "Status")),
		}
		omitsEmpty, omitsZero := strings.Contains(options, "omitempty"), strings.Contains(options, "omitzero")
		f.omitsZero = (omitsEmpty || omitsZero) && isScalar(goField.Type.Kind())
		f.omitsZeroStruct = omitsZero && goField.Type.Kind() == reflect.Struct && !nullWhenZero[goField.Type]
		f.null = isNullable(goField.Type, omitsEmpty) && !omitsZero
		if number := protobufNumber(goField); number != "" {
			f.protobuf = outer + number
		}
		if err := m.shape(goField.Type, &f); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", d.name, tag, err)
		}
		f.markers = m.facts.Definitions[d.name][tag]
		fields = append(fields, f)
	}
	return fields, nil
}

// nullWhenZero are structs whose JSON is null when they hold nothing.
var nullWhenZero = map[reflect.Type]bool{
	reflect.TypeFor[metav1.Time](): true, reflect.TypeFor[metav1.MicroTime](): true, reflect.TypeFor[runtime.RawExtension](): true,
	reflect.TypeFor[apiextensionsv1.JSON](): true,
}

func isNullable(goType reflect.Type, omitsEmpty bool) bool {
	switch goType.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return !omitsEmpty
	default:
		return nullWhenZero[goType]
	}
}

// protobufNumber is the number of a field, with "?" when Go's field is a pointer and "w" when a list has a message of its own; "" when it has none.
func protobufNumber(goField reflect.StructField) string {
	parts := strings.Split(goField.Tag.Get("protobuf"), ",")
	if len(parts) < 2 {
		return ""
	}
	number := parts[1]
	if goField.Type.Kind() == reflect.Pointer {
		number += "?"
	}
	if hasMessage(goField.Type) || (goField.Type.Kind() == reflect.Map || goField.Type.Kind() == reflect.Slice) && hasMessage(goField.Type.Elem()) {
		number += "w"
	}
	return number
}

// hasMessage holds for a named list type that is marshalled as a message.
func hasMessage(goType reflect.Type) bool {
	_, marshals := reflect.PointerTo(goType).MethodByName("MarshalToSizedBuffer")
	return goType.Kind() == reflect.Slice && marshals
}

func isScalar(kind reflect.Kind) bool {
	switch kind {
	case reflect.String, reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Float32, reflect.Float64:
		return true
	default:
		return false
	}
}

func (m *model) shape(goType reflect.Type, f *field) error {
	if goType.Kind() == reflect.Pointer {
		return m.shape(goType.Elem(), f)
	}
	if scalar, ok := scalars[goType.PkgPath()+"."+goType.Name()]; ok {
		f.base = scalar
		return nil
	}
	switch goType.Kind() {
	case reflect.String:
		f.base = "string"
		if goType.Name() != "string" {
			f.goName = goType.String()
		}
	case reflect.Bool:
		f.base = "boolean"
	case reflect.Int32, reflect.Int16, reflect.Int8, reflect.Uint8, reflect.Uint16:
		f.base = "int32"
	case reflect.Int64, reflect.Int, reflect.Uint32:
		f.base = "int64"
	case reflect.Float64, reflect.Float32:
		f.base = "double"
	case reflect.Slice:
		if goType.Elem().Kind() == reflect.Uint8 {
			f.base = "bytes"
			return nil
		}
		if goType.Name() != "" {
			f.goList = goType.String()
		}
		f.prefixes = append(f.prefixes, "[]")
		return m.shape(goType.Elem(), f)
	case reflect.Map:
		if goType.Name() != "" {
			f.goMap = goType.String()
		} else if key := goType.Key(); key.Name() != "string" {
			f.goKey = key.String()
		}
		f.prefixes = append(f.prefixes, "{}")
		return m.shape(goType.Elem(), f)
	case reflect.Struct:
		d, err := m.define(goType)
		if err != nil {
			return err
		}
		f.base = d.name
	default:
		return fmt.Errorf("cannot express Go kind %s", goType.Kind())
	}
	return nil
}
