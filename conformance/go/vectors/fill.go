package main

import (
	"math"
	"math/rand"
	"reflect"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// filler sets the fields of structs. A field that no struct before had set is always set, others now and then, fewer the deeper they are.
type filler struct {
	seen map[string]bool
}

func newFiller() *filler { return &filler{seen: map[string]bool{}} }

var words = []string{"", "a", "app", "kube-system", "example.com/name", "Häfen", "日本語", "😀", "with \"quotes\" and \\", "line\nbreak",
	"a text that is longer than the short ones are and goes on for a while, so that it is read another way"}
var keys = []string{"a", "b", "app.kubernetes.io/name", "ä", "z-last"}
var quantities = []string{"0", "1", "100m", "1500m", "64Mi", "2Gi", "1e3", "12345678901", "250Gi", "-5", "0.5", "1000k", "999999n"}
var integers = []int64{0, 1, -1, 127, 128, 300, 65535, 1 << 31, -(1 << 31), math.MaxInt64, math.MinInt64, 1<<53 + 1}
var durations = []time.Duration{0, time.Nanosecond, 1500 * time.Microsecond, 90 * time.Second, 36*time.Hour + 500*time.Millisecond, -time.Minute}
var documents = []string{`{"a":1}`, `[1,2.5,"x",null]`, `"text"`, `true`, `12345678901234567`, `{"nested":{"list":[{}]}}`}

func pick[T any](random *rand.Rand, values []T) T { return values[random.Intn(len(values))] }

func (f *filler) fill(value reflect.Value, random *rand.Rand) { f.value(value, random, 0) }

// special sets a type that has a JSON form of its own.
func (f *filler) special(value reflect.Value, random *rand.Rand, depth int) bool {
	switch target := value.Addr().Interface().(type) {
	case *metav1.TypeMeta:
	case *metav1.Time:
		*target = metav1.Unix(random.Int63n(2_000_000_000), 0)
	case *metav1.MicroTime:
		*target = metav1.NewMicroTime(time.Unix(random.Int63n(2_000_000_000), random.Int63n(1_000_000)*1000))
	case *metav1.Duration:
		target.Duration = pick(random, durations)
	case *metav1.FieldsV1:
		target.SetRawBytes([]byte(`{"f:metadata":{"f:labels":{".":{},"f:a":{}}}}`))
	case *resource.Quantity:
		*target = resource.MustParse(pick(random, quantities))
	case *intstr.IntOrString:
		*target = pick(random, []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(8080), intstr.FromInt32(-1), intstr.FromString("25%"), intstr.FromString("")})
	case *runtime.RawExtension:
		target.Raw = []byte(pick(random, documents[:1]))
	case *apiextensionsv1.JSON:
		target.Raw = []byte(pick(random, documents))
	case *apiextensionsv1.JSONSchemaPropsOrArray:
		if target.Schema = f.schema(random, depth); random.Intn(2) == 0 {
			target.Schema, target.JSONSchemas = nil, []apiextensionsv1.JSONSchemaProps{{Type: "string"}, {}}
		}
	case *apiextensionsv1.JSONSchemaPropsOrBool:
		if target.Allows = random.Intn(2) == 0; target.Allows && random.Intn(2) == 0 {
			target.Schema = f.schema(random, depth)
		}
	case *apiextensionsv1.JSONSchemaPropsOrStringArray:
		if target.Schema = f.schema(random, depth); random.Intn(2) == 0 {
			target.Schema, target.Property = nil, []string{"a", "b"}
		}
	default:
		return false
	}
	return true
}

func (f *filler) schema(random *rand.Rand, depth int) *apiextensionsv1.JSONSchemaProps {
	schema := &apiextensionsv1.JSONSchemaProps{}
	f.value(reflect.ValueOf(schema).Elem(), random, depth+3)
	return schema
}

func (f *filler) value(value reflect.Value, random *rand.Rand, depth int) {
	if value.Kind() == reflect.Struct && f.special(value, random, depth) {
		return
	}
	switch value.Kind() {
	case reflect.String:
		value.SetString(pick(random, words))
	case reflect.Bool:
		value.SetBool(random.Intn(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		value.SetInt(pick(random, integers))
	case reflect.Uint8, reflect.Uint16, reflect.Uint32:
		value.SetUint(uint64(random.Intn(100)))
	case reflect.Float32, reflect.Float64:
		value.SetFloat(pick(random, []float64{0, 1, -2.5, 1e-9, 123456789.125}))
	case reflect.Pointer:
		value.Set(reflect.New(value.Type().Elem()))
		f.value(value.Elem(), random, depth)
	case reflect.Slice:
		f.slice(value, random, depth)
	case reflect.Map:
		value.Set(reflect.MakeMap(value.Type()))
		for i := random.Intn(3); i >= 0; i-- {
			item := reflect.New(value.Type().Elem()).Elem()
			f.value(item, random, depth+1)
			value.SetMapIndex(reflect.ValueOf(pick(random, keys)).Convert(value.Type().Key()), item)
		}
	case reflect.Struct:
		f.fields(value, random, depth+1)
	}
}

func (f *filler) slice(value reflect.Value, random *rand.Rand, depth int) {
	if value.Type().Elem().Kind() == reflect.Uint8 {
		data := make([]byte, random.Intn(20))
		random.Read(data)
		value.SetBytes(data)
		return
	}
	length := 1 + random.Intn(2)
	value.Set(reflect.MakeSlice(value.Type(), length, length))
	for i := 0; i < length; i++ {
		f.value(value.Index(i), random, depth)
	}
}

func (f *filler) fields(value reflect.Value, random *rand.Rand, depth int) {
	for i := 0; i < value.NumField(); i++ {
		name := value.Type().PkgPath() + "." + value.Type().Name() + "." + value.Type().Field(i).Name
		isNew := !f.seen[name]
		f.seen[name] = true
		chance := 1.0 / float64(depth)
		if isNew || value.Field(i).Kind() == reflect.Struct && depth < 6 || random.Float64() < chance {
			f.value(value.Field(i), random, depth)
		}
	}
}
