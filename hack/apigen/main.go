// Command apigen writes the facts about Kubernetes' built-in kinds that Steersman needs, as TypeScript.
//
//	apigen facts --server URL --token TOKEN   asks a real API server and rewrites facts.json
//	apigen generate --root DIR                rewrites the generated files from the Go types and facts.json
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
	switch args[0] {
	case "facts":
		server := flags.String("server", "", "URL of a real kube-apiserver")
		token := flags.String("token", "", "bearer token of a user who may read discovery and OpenAPI")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		return recordFacts(*server, *token, *factsPath)
	case "generate":
		root := flags.String("root", "../..", "root of the repository")
		if err := flags.Parse(args[1:]); err != nil {
			return err
		}
		facts, err := readFacts(*factsPath)
		if err != nil {
			return err
		}
		return generate(*root, facts)
	default:
		return fmt.Errorf("unknown command %q: expected facts or generate", args[0])
	}
}
