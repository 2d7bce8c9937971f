package main

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"sort"
	"strings"
)

// Facts are what only a running API server tells.
type Facts struct {
	Server string `json:"server"`
	// Groups in the order of discovery; the core group is the first and has no name.
	Groups []Group `json:"groups"`
	// Resources by group and version ("v1", "apps/v1"), also of versions that are off by default.
	Resources map[string][]Resource `json:"resources"`
	// Definitions maps an OpenAPI definition name and a field to the field's markers.
	Definitions map[string]map[string]Markers `json:"definitions"`
	// Required maps an OpenAPI definition name to its required fields.
	Required map[string][]string `json:"required"`
}

// Group is an API group with its versions, best first.
type Group struct {
	Name     string    `json:"name"`
	Versions []Version `json:"versions"`
}

// Version is one version of a group.
type Version struct {
	Name string `json:"name"`
	// OnByDefault holds for a version that is served without --runtime-config.
	OnByDefault bool `json:"onByDefault"`
}

func (g Group) groupVersion(version string) string {
	if g.Name == "" {
		return version
	}
	return g.Name + "/" + version
}

// groupVersions are all served group versions, in the order of discovery.
func (f *Facts) groupVersions() []string {
	list := []string{}
	for _, group := range f.Groups {
		for _, version := range group.Versions {
			list = append(list, group.groupVersion(version.Name))
		}
	}
	return list
}

// Resource is one served resource.
type Resource struct {
	Kind       string   `json:"kind"`
	Plural     string   `json:"plural"`
	Singular   string   `json:"singular"`
	Namespaced bool     `json:"namespaced,omitempty"`
	ShortNames []string `json:"shortNames,omitempty"`
	Categories []string `json:"categories,omitempty"`
	Verbs      []string `json:"verbs"`
	// StorageVersionHash tells in which version objects are stored.
	StorageVersionHash string        `json:"storageVersionHash,omitempty"`
	Columns            []Column      `json:"columns,omitempty"`
	Subresources       []Subresource `json:"subresources,omitempty"`
}

// Column is a column of a resource's Table, without its description.
type Column struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Format   string `json:"format,omitempty"`
	Priority int    `json:"priority,omitempty"`
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

// server is a running API server that is asked.
type server struct {
	url    string
	token  string
	client *http.Client
}

func newServer(url, token string) *server {
	return &server{url, token, &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}}
}

func (s *server) get(urlPath string, accept string, into any) error {
	request, err := http.NewRequest(http.MethodGet, s.url+urlPath, nil)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	if accept != "" {
		request.Header.Set("Accept", accept)
	}
	response, err := s.client.Do(request)
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

// recordFacts asks two servers: one as it is by default, and one with --runtime-config=api/all=true.
func recordFacts(byDefault, all *server, path string) error {
	var version struct{ GitVersion string }
	if err := all.get("/version", "", &version); err != nil {
		return err
	}
	groups, err := groupsOf(byDefault, all)
	if err != nil {
		return err
	}
	facts := &Facts{
		Server: version.GitVersion, Groups: groups, Resources: map[string][]Resource{},
		Definitions: map[string]map[string]Markers{}, Required: map[string][]string{},
	}
	for _, groupVersion := range facts.groupVersions() {
		if err := facts.record(all, groupVersion); err != nil {
			return err
		}
	}
	// What discovery answers with is in documents of its own.
	for _, urlPath := range []string{"/api", "/apis"} {
		if err := facts.recordDefinitions(all, urlPath); err != nil {
			return err
		}
	}
	return writeJSON(path, facts)
}

func writeJSON(path string, value any) error {
	buffer := &bytes.Buffer{}
	encoder := json.NewEncoder(buffer)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return os.WriteFile(path, buffer.Bytes(), 0o644)
}

type groupList struct {
	Groups []struct {
		Name     string
		Versions []struct{ Version string }
	}
}

func groupsOf(byDefault, all *server) ([]Group, error) {
	lists := [2]groupList{}
	for i, s := range []*server{byDefault, all} {
		if err := s.get("/apis", "", &lists[i]); err != nil {
			return nil, err
		}
	}
	isDefault := map[string]bool{}
	for _, group := range lists[0].Groups {
		for _, version := range group.Versions {
			isDefault[group.Name+"/"+version.Version] = true
		}
	}
	groups := []Group{{Name: "", Versions: []Version{{"v1", true}}}}
	for _, group := range lists[1].Groups {
		versions := []Version{}
		for _, version := range group.Versions {
			versions = append(versions, Version{version.Version, isDefault[group.Name+"/"+version.Version]})
		}
		groups = append(groups, Group{group.Name, versions})
	}
	return groups, nil
}

func (f *Facts) record(s *server, groupVersion string) error {
	urlPath := "/apis/" + groupVersion
	if !strings.Contains(groupVersion, "/") {
		urlPath = "/api/" + groupVersion
	}
	resources, err := resourcesOf(urlPath, s)
	if err != nil {
		return err
	}
	f.Resources[groupVersion] = resources
	return f.recordDefinitions(s, urlPath)
}

func (f *Facts) recordDefinitions(s *server, urlPath string) error {
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]json.RawMessage `json:"properties"`
				Required   []string                   `json:"required"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := s.get("/openapi/v3"+urlPath, "", &document); err != nil {
		return err
	}
	for name, schema := range document.Components.Schemas {
		if len(schema.Required) > 0 {
			f.Required[name] = schema.Required
		}
		for field, raw := range schema.Properties {
			markers, err := markersOf(raw)
			if err != nil {
				return fmt.Errorf("%s.%s: %w", name, field, err)
			}
			if markers == nil {
				continue
			}
			if f.Definitions[name] == nil {
				f.Definitions[name] = map[string]Markers{}
			}
			f.Definitions[name][field] = *markers
		}
	}
	return nil
}

func resourcesOf(urlPath string, s *server) ([]Resource, error) {
	var list struct {
		Resources []struct {
			Name, SingularName, Kind, Group, Version string
			Namespaced                               bool
			StorageVersionHash                       string
			Verbs, ShortNames, Categories            []string
		}
	}
	if err := s.get(urlPath, "", &list); err != nil {
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
			ShortNames: entry.ShortNames, Categories: entry.Categories, Verbs: entry.Verbs, StorageVersionHash: entry.StorageVersionHash,
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
	for i := range resources {
		if err := recordColumns(urlPath, &resources[i], s); err != nil {
			return nil, err
		}
	}
	sort.Slice(resources, func(i, j int) bool { return resources[i].Plural < resources[j].Plural })
	return resources, nil
}

func recordColumns(urlPath string, resource *Resource, s *server) error {
	if !slices.Contains(resource.Verbs, "list") {
		return nil
	}
	var table struct{ ColumnDefinitions []Column }
	if err := s.get(urlPath+"/"+resource.Plural, "application/json;as=Table;v=v1;g=meta.k8s.io", &table); err != nil {
		return err
	}
	resource.Columns = table.ColumnDefinitions
	return nil
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
		Values json.RawMessage `json:"additionalProperties"`
	}
	if err := json.Unmarshal(raw, &property); err != nil {
		return nil, err
	}
	enum := property.Enum
	if len(enum) == 0 {
		enum = property.Items.Enum
	}
	if len(enum) == 0 && len(property.Values) > 0 {
		var values struct {
			Enum []string `json:"enum"`
		}
		// The values may be "true": anything.
		if err := json.Unmarshal(property.Values, &values); err == nil {
			enum = values.Enum
		}
	}
	if property.ListType == "" && property.MapType == "" && property.Patch == "" && len(enum) == 0 {
		return nil, nil
	}
	return &Markers{property.ListType, property.MapKeys, property.MapType, property.Patch, property.MergeKey, enum}, nil
}
