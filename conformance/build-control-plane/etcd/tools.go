//go:build tools

// Package tools names the program that build.mjs builds: the main package of the etcd server.
package tools

import _ "go.etcd.io/etcd/server/v3"
