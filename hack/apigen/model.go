package main

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// group is one API group version that is generated.
type group struct {
	name    string
	version string
	// folder below api/types.
	folder string
	add    func(*runtime.Scheme) error
}

func (g group) groupVersion() string {
	if g.name == "" {
		return g.version
	}
	return g.name + "/" + g.version
}

var groups = []group{
	{"", "v1", "core", corev1.AddToScheme},
	{"apps", "v1", "apps", appsv1.AddToScheme},
	{"autoscaling", "v1", "autoscaling", autoscalingv1.AddToScheme},
	{"coordination.k8s.io", "v1", "coordination", coordinationv1.AddToScheme},
	{"events.k8s.io", "v1", "events", eventsv1.AddToScheme},
	{"policy", "v1", "policy", policyv1.AddToScheme},
	{"apiextensions.k8s.io", "v1", "apiextensions", apiextensionsv1.AddToScheme},
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
	// omitsZero: Go leaves the field out when it is empty, zero or false.
	omitsZero bool
	markers   Markers
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
	scheme := runtime.NewScheme()
	for _, g := range groups {
		if err := g.add(scheme); err != nil {
			return nil, err
		}
	}
	for _, g := range groups {
		kinds := map[string]bool{}
		for _, resource := range facts.Resources[g.groupVersion()] {
			kinds[resource.Kind] = true
			for _, subresource := range resource.Subresources {
				kinds[subresource.Kind] = true
			}
		}
		for gvk, goType := range scheme.AllKnownTypes() {
			if gvk.Group != g.name || gvk.Version != g.version || !kinds[gvk.Kind] || !strings.HasPrefix(goType.PkgPath(), "k8s.io/api") {
				continue
			}
			if goType.PkgPath() == "k8s.io/apimachinery/pkg/apis/meta/v1" {
				continue
			}
			d, err := m.define(goType)
			if err != nil {
				return nil, err
			}
			if d.folder == g.folder {
				d.kind, d.groupVersion = gvk.Kind, g.groupVersion()
			}
		}
	}
	return m, nil
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
	fields, err := m.fieldsOf(goType, d)
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

func (m *model) fieldsOf(goType reflect.Type, d *definition) ([]field, error) {
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
			nested, err := m.fieldsOf(inlined, d)
			if err != nil {
				return nil, err
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
		f.omitsZero = strings.Contains(options, "omitempty") && isScalar(goField.Type.Kind())
		if err := m.shape(goField.Type, &f); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", d.name, tag, err)
		}
		f.markers = m.facts.Definitions[d.name][tag]
		fields = append(fields, f)
	}
	return fields, nil
}

func isScalar(kind reflect.Kind) bool {
	return kind == reflect.String || kind == reflect.Bool || kind == reflect.Int32 || kind == reflect.Int64
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
		f.prefixes = append(f.prefixes, "[]")
		return m.shape(goType.Elem(), f)
	case reflect.Map:
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
