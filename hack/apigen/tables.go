package main

import (
	"fmt"
	"path/filepath"
	"sort"
	"strings"
)

// writeTables writes one compact table of definitions per group version and one of the served resources.
//
// A field is `<type>[!][;attribute]*`; the format is explained where the API server reads it.
func writeTables(folder string, m *model) error {
	files := map[string]*strings.Builder{}
	for _, d := range m.sorted() {
		key := fileKey(d)
		if files[key] == nil {
			files[key] = &strings.Builder{}
			fmt.Fprintf(files[key], notice, m.facts.Server)
			files[key].WriteString("export const table: Readonly<Record<string, Readonly<Record<string, string>>>> = {\n")
		}
		writeTable(files[key], d)
	}
	keys := []string{}
	for key, text := range files {
		keys = append(keys, key)
		text.WriteString("}\n")
		name := strings.ReplaceAll(key, "/", ".") + ".generated.ts"
		if err := writeText(filepath.Join(folder, name), text.String()); err != nil {
			return err
		}
	}
	sort.Strings(keys)
	if err := writeIndex(folder, keys, m); err != nil {
		return err
	}
	return writeResources(folder, m)
}

func writeTable(out *strings.Builder, d *definition) {
	fmt.Fprintf(out, "  '%s': {\n", d.name)
	for _, f := range d.fields {
		text := strings.Join(f.prefixes, "") + f.base
		if f.required {
			text += "!"
		}
		for _, attribute := range []struct{ name, value string }{
			{"list", f.markers.ListType}, {"keys", strings.Join(f.markers.MapKeys, ",")}, {"map", f.markers.MapType},
			{"patch", f.markers.Patch}, {"mergeKey", f.markers.MergeKey}, {"enum", strings.Join(f.markers.Enum, "|")}, {"go", f.goName},
			{"goList", f.goList}, {"goMap", f.goMap}, {"goKey", f.goKey},
		} {
			if attribute.value != "" {
				text += ";" + attribute.name + "=" + attribute.value
			}
		}
		for _, flag := range []struct {
			name string
			set  bool
		}{{"omit", f.omitsZero}, {"omitzero", f.omitsZeroStruct}, {"null", f.null}} {
			if flag.set {
				text += ";" + flag.name
			}
		}
		if f.protobuf != "" {
			text += ";pb=" + f.protobuf
		}
		name := f.name
		if !plainName.MatchString(name) {
			name = "'" + name + "'"
		}
		fmt.Fprintf(out, "    %s: '%s',\n", name, text)
	}
	out.WriteString("  },\n")
}

func writeIndex(folder string, keys []string, m *model) error {
	text := &strings.Builder{}
	fmt.Fprintf(text, notice, m.facts.Server)
	text.WriteString("\n/** Loads the table of a group version. */\nexport const tables = {\n")
	for _, key := range keys {
		fmt.Fprintf(text, "  '%s': () => import('./%s.generated.js'),\n", key, strings.ReplaceAll(key, "/", "."))
	}
	text.WriteString("} as const\n\n/** The definition of each root kind, and the table that holds it. */\nexport const rootDefinitions: Readonly<Record<string, readonly [definition: string, table: keyof typeof tables]>> = {\n")
	for _, d := range m.sorted() {
		if d.kind != "" {
			fmt.Fprintf(text, "  '%s/%s': ['%s', '%s'],\n", d.groupVersion, d.kind, d.name, fileKey(d))
		}
	}
	text.WriteString("}\n")
	return writeText(filepath.Join(folder, "index.generated.ts"), text.String())
}

func writeResources(folder string, m *model) error {
	text := &strings.Builder{}
	fmt.Fprintf(text, notice, m.facts.Server)
	text.WriteString("import type { BuiltinGroupVersion, BuiltinResource } from './resource.js'\n\n/** Group versions that a real API server can serve, in the order of discovery. */\n")
	text.WriteString("export const groupVersions: readonly BuiltinGroupVersion[] = [\n")
	for _, g := range m.facts.Groups {
		for _, version := range g.Versions {
			fmt.Fprintf(text, "  { group: '%s', version: '%s', onByDefault: %t },\n", g.Name, version.Name, version.OnByDefault)
		}
	}
	text.WriteString("]\n\n/** Their resources. */\nexport const resources: Readonly<Record<string, readonly BuiltinResource[]>> = {\n")
	for _, groupVersion := range m.facts.groupVersions() {
		fmt.Fprintf(text, "  '%s': [\n", groupVersion)
		for _, resource := range m.facts.Resources[groupVersion] {
			fmt.Fprintf(text, "    { kind: '%s', plural: '%s', singular: '%s', namespaced: %t, shortNames: %s, categories: %s, verbs: %s, storageVersionHash: '%s', subresources: [", resource.Kind, resource.Plural,
				resource.Singular, resource.Namespaced, stringArray(resource.ShortNames), stringArray(resource.Categories), stringArray(resource.Verbs), resource.StorageVersionHash)
			for i, subresource := range resource.Subresources {
				if i > 0 {
					text.WriteString(", ")
				}
				fmt.Fprintf(text, "{ name: '%s', group: '%s', version: '%s', kind: '%s', verbs: %s }", subresource.Name, subresource.Group, subresource.Version, subresource.Kind, stringArray(subresource.Verbs))
			}
			text.WriteString("] },\n")
		}
		text.WriteString("  ],\n")
	}
	text.WriteString("}\n")
	return writeText(filepath.Join(folder, "resources.generated.ts"), text.String())
}
