// Command helpers holds what the suites and benchmarks need in Go, one subcommand each.
//
//	helpers [--end-with-stdin] COMMAND [flags]
//
// Each command prints its result as JSON on standard output. With --end-with-stdin the process ends when its standard input closes, that is when its parent does.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"steersman.dev/conformance/go/envtestbench"
	"steersman.dev/conformance/go/load"
	"steersman.dev/conformance/go/runtimebench"
	"steersman.dev/conformance/go/typedclients"
)

var commands = map[string]func(args []string) error{
	"envtest": envtestbench.Run,
	"load":    load.Run,
	"runtime": runtimebench.Run,
	"typed":   typedclients.Run,
}

func main() {
	args := os.Args[1:]
	if len(args) > 0 && args[0] == "--end-with-stdin" {
		args = args[1:]
		go endWithStdin()
	}
	if err := run(args); err != nil {
		fmt.Fprintln(os.Stderr, "helpers:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	names := strings.Join(slices.Sorted(maps.Keys(commands)), ", ")
	if len(args) == 0 {
		return fmt.Errorf("expected a command: %s", names)
	}
	command, isKnown := commands[args[0]]
	if !isKnown {
		return fmt.Errorf("%q is no command: expected %s", args[0], names)
	}
	return command(args[1:])
}

func endWithStdin() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	killChildren()
	os.Exit(1)
}

// killChildren ends what this process has started, which would outlive it.
func killChildren() {
	lists, _ := filepath.Glob("/proc/self/task/*/children")
	for _, list := range lists {
		children, _ := os.ReadFile(list)
		for _, child := range strings.Fields(string(children)) {
			if pid, err := strconv.Atoi(child); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}
