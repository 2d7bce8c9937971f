package main

import (
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strings"
)

// Bootstrap maps the path of a collection to the objects that a real API server makes there at its first start.
type Bootstrap map[string][]map[string]any

// collections hold objects that the server makes. Namespaces and the service "kubernetes" depend on flags, so they are made by code.
var collections = []string{
	"/apis/rbac.authorization.k8s.io/v1/clusterroles",
	"/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
	"/apis/rbac.authorization.k8s.io/v1/roles",
	"/apis/rbac.authorization.k8s.io/v1/rolebindings",
	"/apis/scheduling.k8s.io/v1/priorityclasses",
	"/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
	"/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
}

func recordBootstrap(s *server, path string) error {
	bootstrap := Bootstrap{}
	for _, collection := range collections {
		var list struct {
			APIVersion, Kind string
			Items            []map[string]any
		}
		if err := s.get(collection, "", &list); err != nil {
			return err
		}
		for _, item := range list.Items {
			bootstrap[collection] = append(bootstrap[collection], bare(item, list.APIVersion, strings.TrimSuffix(list.Kind, "List")))
		}
	}
	return writeJSON(path, bootstrap)
}

// bare is an object without what the server fills in, nor status, which controllers write.
func bare(item map[string]any, apiVersion, kind string) map[string]any {
	metadata := map[string]any{}
	for _, field := range []string{"name", "namespace", "labels", "annotations"} {
		if value, ok := item["metadata"].(map[string]any)[field]; ok {
			metadata[field] = value
		}
	}
	item["apiVersion"], item["kind"], item["metadata"] = apiVersion, kind, metadata
	delete(item, "status")
	return item
}

func readBootstrap(path string) (Bootstrap, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	bootstrap := Bootstrap{}
	return bootstrap, json.Unmarshal(data, &bootstrap)
}

// writeBootstrap writes one line of JSON for each object, in the order of names.
func writeBootstrap(path string, bootstrap Bootstrap, server string) error {
	text := &strings.Builder{}
	fmt.Fprintf(text, notice, server)
	text.WriteString("\n/** The objects that a real API server makes at its first start, by collection; each as JSON. */\nexport const bootstrapObjects: Readonly<Record<string, readonly string[]>> = {\n")
	for _, collection := range collections {
		lines := []string{}
		for _, object := range bootstrap[collection] {
			data, err := json.Marshal(object)
			if err != nil {
				return err
			}
			quoted := strings.ReplaceAll(strings.ReplaceAll(string(data), `\`, `\\`), `'`, `\'`)
			lines = append(lines, "    '"+quoted+"',\n")
		}
		sort.Strings(lines)
		fmt.Fprintf(text, "  '%s': [\n%s  ],\n", collection, strings.Join(lines, ""))
	}
	text.WriteString("}\n")
	return writeText(path, text.String())
}
