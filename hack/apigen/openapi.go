package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// OpenAPIFacts are what the OpenAPI documents of a real API server say beyond the fields of definitions, without descriptions.
type OpenAPIFacts struct {
	// Defaults by definition: names of fields whose default is the zero value of their type, and name=JSON for others.
	Defaults map[string][]string `json:"defaults"`
	// References by definition and field to definitions that say nothing of their shape.
	References map[string]map[string]string `json:"references"`
	// BareReferences by definition: fields that refer to a definition and have no description, so that the reference is not wrapped.
	BareReferences map[string][]string `json:"bareReferences"`
	// MapTypes by definition: how all fields together merge.
	MapTypes map[string]string `json:"mapTypes"`
	// Unions by definition.
	Unions map[string]json.RawMessage `json:"unions"`
	// OptionVersions are the group versions that have DeleteOptions and WatchEvent of their own.
	OptionVersions []string `json:"optionVersions"`
	// ReturnsDeleted lists resources ("v1/pods") whose delete answers with the object.
	ReturnsDeleted []string `json:"returnsDeleted"`
	// Parameters by subresource that is a stream or text ("v1/pods/exec"): name:type of what is asked in the query.
	Parameters map[string][]string `json:"parameters"`
	// SharedParameters are the names under which version 2 lists parameters, by "name" or, of one in the path, "{name}";
	// after "patch " or a subresource's "pods/exec " where it is another one there.
	SharedParameters map[string]string `json:"sharedParameters"`
}

type openAPISchema struct {
	Type       string                     `json:"type"`
	OneOf      []json.RawMessage          `json:"oneOf"`
	Properties map[string]json.RawMessage `json:"properties"`
	MapType    string                     `json:"x-kubernetes-map-type"`
	Unions     json.RawMessage            `json:"x-kubernetes-unions"`
	Kinds      []struct {
		Group, Version string
	} `json:"x-kubernetes-group-version-kind"`
}

func (s openAPISchema) isShapeless() bool {
	return s.Type == "" && len(s.OneOf) == 0 && len(s.Properties) == 0
}

type openAPIParameter struct {
	Ref    string `json:"$ref"`
	Name   string `json:"name"`
	In     string `json:"in"`
	Schema struct {
		Type string `json:"type"`
	} `json:"schema"`
}

type openAPIOperation struct {
	Action     string             `json:"x-kubernetes-action"`
	Parameters []openAPIParameter `json:"parameters"`
	Responses  map[string]struct {
		Content map[string]struct {
			Schema struct {
				Ref string `json:"$ref"`
			} `json:"schema"`
		} `json:"content"`
	} `json:"responses"`
}

// openAPIPath maps a method to its operation, and "parameters" to those of all.
type openAPIPath map[string]json.RawMessage

func (p openAPIPath) parameters() ([]openAPIParameter, error) {
	list := []openAPIParameter{}
	if raw, ok := p["parameters"]; ok {
		return list, json.Unmarshal(raw, &list)
	}
	return list, nil
}

func (p openAPIPath) operations() (map[string]openAPIOperation, error) {
	operations := map[string]openAPIOperation{}
	for method, raw := range p {
		if method == "parameters" {
			continue
		}
		operation := openAPIOperation{}
		if err := json.Unmarshal(raw, &operation); err != nil {
			return nil, err
		}
		operations[method] = operation
	}
	return operations, nil
}

const metaPackage = "io.k8s.apimachinery.pkg.apis.meta.v1."

// recordOpenAPI asks two servers: paths of one as it is by default, definitions of one that serves all versions.
func recordOpenAPI(byDefault, all *server, path string) error {
	facts := &OpenAPIFacts{
		Defaults: map[string][]string{}, References: map[string]map[string]string{}, BareReferences: map[string][]string{}, MapTypes: map[string]string{}, Unions: map[string]json.RawMessage{},
		Parameters: map[string][]string{}, SharedParameters: map[string]string{},
	}
	var index struct {
		Paths map[string]struct{}
	}
	if err := all.get("/openapi/v3", "", &index); err != nil {
		return err
	}
	for _, document := range slices.Sorted(maps.Keys(index.Paths)) {
		if err := facts.recordDocument(all, document); err != nil {
			return fmt.Errorf("%s: %w", document, err)
		}
	}
	if err := facts.recordSwagger(byDefault); err != nil {
		return err
	}
	slices.Sort(facts.ReturnsDeleted)
	return writeJSON(path, facts)
}

func (f *OpenAPIFacts) recordDocument(s *server, name string) error {
	var document struct {
		Paths      map[string]openAPIPath
		Components struct {
			Schemas map[string]openAPISchema
		}
	}
	if err := s.get("/openapi/v3/"+name, "", &document); err != nil {
		return err
	}
	for name, schema := range document.Components.Schemas {
		if err := f.recordDefinition(name, schema, document.Components.Schemas); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	groupVersion := strings.TrimPrefix(strings.TrimPrefix(name, "apis/"), "api/")
	for urlPath, item := range document.Paths {
		if err := f.recordPath(groupVersion, urlPath, item); err != nil {
			return fmt.Errorf("%s: %w", urlPath, err)
		}
	}
	return nil
}

func (f *OpenAPIFacts) recordDefinition(name string, schema openAPISchema, all map[string]openAPISchema) error {
	if schema.MapType != "" {
		f.MapTypes[name] = schema.MapType
	}
	if len(schema.Unions) > 0 {
		f.Unions[name] = schema.Unions
	}
	delete(f.Defaults, name)
	delete(f.BareReferences, name)
	for _, field := range slices.Sorted(maps.Keys(schema.Properties)) {
		var property struct {
			Type    string          `json:"type"`
			Default json.RawMessage `json:"default"`
			Ref     string          `json:"$ref"`
		}
		if err := json.Unmarshal(schema.Properties[field], &property); err != nil {
			return err
		}
		if text := defaultText(field, property.Type, property.Default); text != "" {
			f.Defaults[name] = append(f.Defaults[name], text)
		}
		if property.Ref != "" {
			f.BareReferences[name] = append(f.BareReferences[name], field)
		}
		if target := referenceOf(schema.Properties[field]); target != "" && all[target].isShapeless() {
			if f.References[name] == nil {
				f.References[name] = map[string]string{}
			}
			f.References[name][field] = target
		}
	}
	return nil
}

// defaultText is the name of a field with a default, with its value unless that is zero.
func defaultText(field, fieldType string, value json.RawMessage) string {
	if len(value) == 0 {
		return ""
	}
	zero := map[string]string{"string": `""`, "integer": "0", "number": "0", "boolean": "false", "": "{}"}[fieldType]
	if string(bytes.TrimSpace(value)) == zero {
		return field
	}
	return field + "=" + string(value)
}

// referenceOf is the definition that a property, or what it holds, refers to.
func referenceOf(raw json.RawMessage) string {
	_, after, found := bytes.Cut(raw, []byte("#/components/schemas/"))
	if !found {
		return ""
	}
	name, _, _ := bytes.Cut(after, []byte(`"`))
	return string(name)
}

func (f *OpenAPIFacts) recordPath(groupVersion, urlPath string, item openAPIPath) error {
	operations, err := item.operations()
	if err != nil {
		return err
	}
	parts := strings.Split(urlPath, "/")
	if operation, ok := operations["delete"]; ok && operation.Action == "delete" {
		if operation.Responses["200"].Content["application/json"].Schema.Ref != "#/components/schemas/"+metaPackage+"Status" {
			f.ReturnsDeleted = append(f.ReturnsDeleted, groupVersion+"/"+parts[len(parts)-2])
		}
	}
	get, ok := operations["get"]
	if !ok || !isStream(urlPath, get) || strings.HasSuffix(urlPath, "/{path}") {
		return nil
	}
	parameters, err := item.parameters()
	if err != nil {
		return err
	}
	key := groupVersion + "/" + parts[len(parts)-3] + "/" + parts[len(parts)-1]
	for _, parameter := range parameters {
		if parameter.In == "query" && parameter.Name != "pretty" {
			f.Parameters[key] = append(f.Parameters[key], parameter.Name+":"+parameter.Schema.Type)
		}
	}
	return nil
}

// isStream holds for subresources whose answer is no object.
func isStream(urlPath string, operation openAPIOperation) bool {
	return operation.Action == "connect" || strings.HasSuffix(urlPath, "/log")
}

func (f *OpenAPIFacts) recordSwagger(s *server) error {
	var document struct {
		Paths       map[string]openAPIPath
		Definitions map[string]openAPISchema
		Parameters  map[string]openAPIParameter
	}
	if err := s.get("/openapi/v2", "", &document); err != nil {
		return err
	}
	for _, kind := range document.Definitions[metaPackage+"DeleteOptions"].Kinds {
		f.OptionVersions = append(f.OptionVersions, strings.TrimPrefix(kind.Group+"/"+kind.Version, "/"))
	}
	for _, urlPath := range slices.Sorted(maps.Keys(document.Paths)) {
		if err := f.recordShared(urlPath, document.Paths[urlPath], document.Parameters); err != nil {
			return fmt.Errorf("%s: %w", urlPath, err)
		}
	}
	maps.DeleteFunc(f.SharedParameters, func(key, value string) bool {
		context, name, ok := strings.Cut(key, " ")
		return ok && f.SharedParameters[name] == value && context != ""
	})
	return nil
}

func (f *OpenAPIFacts) recordShared(urlPath string, item openAPIPath, shared map[string]openAPIParameter) error {
	operations, err := item.operations()
	if err != nil {
		return err
	}
	parameters, err := item.parameters()
	if err != nil {
		return err
	}
	parts := strings.Split(urlPath, "/")
	context := ""
	if get, ok := operations["get"]; ok && isStream(urlPath, get) {
		end := len(parts)
		if parts[end-1] == "{path}" {
			end--
		}
		context = parts[end-3] + "/" + parts[end-1] + " "
	}
	f.shareAll(context, parameters, shared)
	for method, operation := range operations {
		if method == "patch" && context == "" {
			f.shareAll("patch ", operation.Parameters, shared)
		} else {
			f.shareAll(context, operation.Parameters, shared)
		}
	}
	return nil
}

func (f *OpenAPIFacts) shareAll(context string, parameters []openAPIParameter, all map[string]openAPIParameter) {
	for _, parameter := range parameters {
		shared, ok := strings.CutPrefix(parameter.Ref, "#/parameters/")
		if !ok {
			continue
		}
		name := all[shared].Name
		if all[shared].In == "path" {
			name = "{" + name + "}"
		}
		if context != "" && f.SharedParameters[name] == shared {
			continue
		}
		f.SharedParameters[context+name] = shared
	}
}

func readOpenAPI(path string) (*OpenAPIFacts, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	facts := &OpenAPIFacts{}
	return facts, json.Unmarshal(data, facts)
}

// writeOpenAPI writes the facts as one TypeScript value, which is loaded with the first document.
func writeOpenAPI(folder, server string, facts *OpenAPIFacts) error {
	text := &strings.Builder{}
	fmt.Fprintf(text, notice, server)
	text.WriteString("import type { OpenApiFacts } from './openapi-facts.js'\n\n/** What OpenAPI documents say beyond the fields of definitions. */\nexport const openApiFacts: OpenApiFacts = {\n")
	writeJoined(text, "defaults", facts.Defaults)
	text.WriteString("  references: {\n")
	for _, name := range slices.Sorted(maps.Keys(facts.References)) {
		fmt.Fprintf(text, "    '%s': {\n", name)
		for _, field := range slices.Sorted(maps.Keys(facts.References[name])) {
			fmt.Fprintf(text, "      %s: '%s',\n", propertyName(field), facts.References[name][field])
		}
		text.WriteString("    },\n")
	}
	text.WriteString("  },\n")
	writeJoined(text, "bareReferences", facts.BareReferences)
	writeStrings(text, "mapTypes", facts.MapTypes)
	text.WriteString("  unions: {\n")
	for _, name := range slices.Sorted(maps.Keys(facts.Unions)) {
		compact := &bytes.Buffer{}
		if err := json.Compact(compact, facts.Unions[name]); err != nil {
			return err
		}
		fmt.Fprintf(text, "    '%s': %s,\n", name, compact)
	}
	text.WriteString("  },\n")
	fmt.Fprintf(text, "  optionVersions: '%s',\n", strings.Join(facts.OptionVersions, " "))
	fmt.Fprintf(text, "  returnsDeleted: '%s',\n", strings.Join(facts.ReturnsDeleted, " "))
	writeJoined(text, "parameters", facts.Parameters)
	writeStrings(text, "sharedParameters", facts.SharedParameters)
	text.WriteString("}\n")
	return writeText(filepath.Join(folder, "openapi.generated.ts"), text.String())
}

func propertyName(name string) string {
	if plainName.MatchString(name) {
		return name
	}
	return "'" + name + "'"
}

func writeJoined(text *strings.Builder, name string, values map[string][]string) {
	joined := map[string]string{}
	for key, list := range values {
		joined[key] = strings.Join(list, " ")
	}
	writeStrings(text, name, joined)
}

func writeStrings(text *strings.Builder, name string, values map[string]string) {
	fmt.Fprintf(text, "  %s: {\n", name)
	for _, key := range slices.Sorted(maps.Keys(values)) {
		fmt.Fprintf(text, "    %s: '%s',\n", propertyName(key), values[key])
	}
	text.WriteString("  },\n")
}
