//go:build suites

// Package suites names controller-runtime, whose own suites run unmodified from the module cache: go mod tidy keeps what its tests need.
package suites

import (
	_ "sigs.k8s.io/controller-runtime"
	_ "sigs.k8s.io/controller-runtime/pkg/envtest"
	_ "sigs.k8s.io/controller-runtime/pkg/metrics/filters"
)
