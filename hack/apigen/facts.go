package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strings"
)

// Facts are what only a running API server tells.
type Facts struct {
	Server string `json:"server"`
	// Resources by group and version ("v1", "apps/v1").
	Resources map[string][]Resource `json:"resources"`
	// Definitions maps an OpenAPI definition name and a field to the field's markers.
	Definitions map[string]map[string]Markers `json:"definitions"`
	// Required maps an OpenAPI definition name to its required fields.
	Required map[string][]string `json:"required"`
}

// Resource is one served resource.
type Resource struct {
	Kind         string        `json:"kind"`
	Plural       string        `json:"plural"`
	Singular     string        `json:"singular"`
	Namespaced   bool          `json:"namespaced,omitempty"`
	ShortNames   []string      `json:"shortNames,omitempty"`
	Categories   []string      `json:"categories,omitempty"`
	Verbs        []string      `json:"verbs"`
	Subresources []Subresource `json:"subresources,omitempty"`
}

// Subresource is one served subresource.
type Subresource struct {
	Name    string   `json:"name"`
	Group   string   `json:"group,omitempty"`
	Version string   `json:"version,omitempty"`
	Kind    string   `json:"kind"`
	Verbs   []string `json:"verbs"`
}

// Markers say how a field merges and which values it may have.
type Markers struct {
	ListType string   `json:"list,omitempty"`
	MapKeys  []string `json:"keys,omitempty"`
	MapType  string   `json:"map,omitempty"`
	Patch    string   `json:"patch,omitempty"`
	MergeKey string   `json:"mergeKey,omitempty"`
	Enum     []string `json:"enum,omitempty"`
}

func readFacts(path string) (*Facts, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	facts := &Facts{}
	return facts, json.Unmarshal(data, facts)
}

func recordFacts(server, token, path string) error {
	if server == "" {
		return fmt.Errorf("--server is required")
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	get := func(urlPath string, into any) error {
		request, err := http.NewRequest(http.MethodGet, server+urlPath, nil)
		if err != nil {
			return err
		}
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := client.Do(request)
		if err != nil {
			return err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			return err
		}
		if response.StatusCode != http.StatusOK {
			return fmt.Errorf("GET %s: %s", urlPath, response.Status)
		}
		return json.Unmarshal(body, into)
	}

	var version struct{ GitVersion string }
	if err := get("/version", &version); err != nil {
		return err
	}
	facts := &Facts{Server: version.GitVersion, Resources: map[string][]Resource{}, Definitions: map[string]map[string]Markers{}, Required: map[string][]string{}}
	for _, group := range groups {
		urlPath := "/apis/" + group.groupVersion()
		if group.name == "" {
			urlPath = "/api/" + group.version
		}
		resources, err := resourcesOf(urlPath, get)
		if err != nil {
			return err
		}
		facts.Resources[group.groupVersion()] = resources
		var document struct {
			Components struct {
				Schemas map[string]struct {
					Properties map[string]json.RawMessage `json:"properties"`
					Required   []string                   `json:"required"`
				} `json:"schemas"`
			} `json:"components"`
		}
		if err := get("/openapi/v3"+urlPath, &document); err != nil {
			return err
		}
		for name, schema := range document.Components.Schemas {
			if len(schema.Required) > 0 {
				facts.Required[name] = schema.Required
			}
			for field, raw := range schema.Properties {
				markers, err := markersOf(raw)
				if err != nil {
					return fmt.Errorf("%s.%s: %w", name, field, err)
				}
				if markers == nil {
					continue
				}
				if facts.Definitions[name] == nil {
					facts.Definitions[name] = map[string]Markers{}
				}
				facts.Definitions[name][field] = *markers
			}
		}
	}
	buffer := &bytes.Buffer{}
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(facts); err != nil {
		return err
	}
	return os.WriteFile(path, buffer.Bytes(), 0o644)
}

func resourcesOf(urlPath string, get func(string, any) error) ([]Resource, error) {
	var list struct {
		Resources []struct {
			Name, SingularName, Kind, Group, Version string
			Namespaced                               bool
			Verbs, ShortNames, Categories            []string
		}
	}
	if err := get(urlPath, &list); err != nil {
		return nil, err
	}
	resources := []Resource{}
	index := map[string]int{}
	for _, entry := range list.Resources {
		if strings.Contains(entry.Name, "/") {
			continue
		}
		index[entry.Name] = len(resources)
		resources = append(resources, Resource{
			Kind: entry.Kind, Plural: entry.Name, Singular: entry.SingularName, Namespaced: entry.Namespaced,
			ShortNames: entry.ShortNames, Categories: entry.Categories, Verbs: entry.Verbs,
		})
	}
	for _, entry := range list.Resources {
		plural, name, isSubresource := strings.Cut(entry.Name, "/")
		if !isSubresource {
			continue
		}
		resource := &resources[index[plural]]
		resource.Subresources = append(resource.Subresources, Subresource{
			Name: name, Group: entry.Group, Version: entry.Version, Kind: entry.Kind, Verbs: entry.Verbs,
		})
	}
	sort.Slice(resources, func(i, j int) bool { return resources[i].Plural < resources[j].Plural })
	return resources, nil
}

func markersOf(raw json.RawMessage) (*Markers, error) {
	var property struct {
		ListType string   `json:"x-kubernetes-list-type"`
		MapKeys  []string `json:"x-kubernetes-list-map-keys"`
		MapType  string   `json:"x-kubernetes-map-type"`
		Patch    string   `json:"x-kubernetes-patch-strategy"`
		MergeKey string   `json:"x-kubernetes-patch-merge-key"`
		Enum     []string `json:"enum"`
		Items    struct {
			Enum []string `json:"enum"`
		} `json:"items"`
	}
	if err := json.Unmarshal(raw, &property); err != nil {
		return nil, err
	}
	enum := property.Enum
	if len(enum) == 0 {
		enum = property.Items.Enum
	}
	if property.ListType == "" && property.MapType == "" && property.Patch == "" && len(enum) == 0 {
		return nil, nil
	}
	return &Markers{property.ListType, property.MapKeys, property.MapType, property.Patch, property.MergeKey, enum}, nil
}
