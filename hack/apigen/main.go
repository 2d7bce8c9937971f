// Command apigen writes the facts about Kubernetes' built-in kinds that Steersman needs, as TypeScript.
//
//	apigen facts --server URL --all-server URL --token TOKEN   asks real API servers and rewrites facts.json, openapi.json and bootstrap.json
//	apigen generate --root DIR                                 rewrites the generated files from the Go types and those files
//
// Nothing but facts leaves the Go types: names, types, optionality and markers. Documentation sentences do not.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "apigen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("expected a command: facts or generate")
	}
	flags := flag.NewFlagSet(args[0], flag.ExitOnError)
	factsPath := flags.String("facts", "facts.json", "file with the facts asked from a real API server")
	bootstrapPath := flags.String("bootstrap", "bootstrap.json", "file with the objects that a real API server makes at its first start")
	openAPIPath := flags.String("openapi", "openapi.json", "file with what OpenAPI documents of a real API server say beyond the fields of definitions")
	switch args[0] {
	case "facts":
		url := flags.String("server", "", "URL of a real kube-apiserver")
		allURL := flags.String("all-server", "", "URL of one that runs with --runtime-config=api/all=true")
		token := flags.String("token", "", "bearer token of a user who may read discovery and OpenAPI")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		if *url == "" || *allURL == "" {
			return fmt.Errorf("--server and --all-server are required")
		}
		byDefault, all := newServer(*url, *token), newServer(*allURL, *token)
		if err := recordFacts(byDefault, all, *factsPath); err != nil {
			return err
		}
		if err := recordOpenAPI(byDefault, all, *openAPIPath); err != nil {
			return err
		}
		return recordBootstrap(byDefault, *bootstrapPath)
	case "generate":
		root := flags.String("root", "../..", "root of the repository")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		facts, err := readFacts(*factsPath)
		if err != nil {
			return err
		}
		bootstrap, err := readBootstrap(*bootstrapPath)
		if err != nil {
			return err
		}
		openAPI, err := readOpenAPI(*openAPIPath)
		if err != nil {
			return err
		}
		return generate(*root, facts, openAPI, bootstrap)
	default:
		return fmt.Errorf("unknown command %q: expected facts or generate", args[0])
	}
}
