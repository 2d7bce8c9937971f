// Package load is one lean client that loads a server the same way whoever it is: raw HTTP/2 over TLS, answers counted and not decoded.
package load

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"
)

// options are the flags of all modes.
type options struct {
	kubeconfig  string
	path        string
	body        string
	clients     int
	connections int
	warmUp      time.Duration
	duration    time.Duration
	rate        float64
	count       int
	repeat      int
	watchers    int
	pids        string
}

var modes = map[string]func(target *Target, o options, pids []int) (any, error){
	"create": runCreate,
	"list":   runList,
	"watch":  runWatch,
}

// Run is the command `load create|list|watch`.
func Run(args []string) error {
	if len(args) == 0 || modes[args[0]] == nil {
		return errors.New("load: expected create, list or watch")
	}
	var o options
	flags := flag.NewFlagSet("load "+args[0], flag.ExitOnError)
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "kubeconfig of the server")
	flags.StringVar(&o.path, "path", "", "path of the collection, with its query")
	flags.StringVar(&o.body, "body", "", "object to create; {name} in it is a new number each time, of eight digits")
	flags.IntVar(&o.clients, "clients", 64, "create: requests under way at a time (closed loop)")
	flags.IntVar(&o.connections, "connections", 8, "connections that carry the requests")
	flags.DurationVar(&o.warmUp, "warm-up", time.Second, "create: time before measuring starts")
	flags.DurationVar(&o.duration, "duration", 4*time.Second, "create: time that is measured")
	flags.Float64Var(&o.rate, "rate", 0, "create: requests per second, sent whether or not earlier ones are answered (open loop)")
	flags.IntVar(&o.count, "count", 0, "create: create so many and end, without warm-up; watch: events of a round")
	flags.IntVar(&o.repeat, "repeat", 5, "list, watch: how often, after one that does not count")
	flags.IntVar(&o.watchers, "watchers", 1000, "watch: how many")
	flags.StringVar(&o.pids, "pids", "", "processes of the server, whose processor time is counted")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	pids, err := parsePids(o.pids)
	if err != nil {
		return err
	}
	target, err := LoadTarget(o.kubeconfig)
	if err != nil {
		return err
	}
	result, err := modes[args[0]](target, o, pids)
	if err != nil {
		return fmt.Errorf("load %s: %w", args[0], err)
	}
	return json.NewEncoder(os.Stdout).Encode(result)
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// microsecondsEach shares processor time among requests.
func microsecondsEach(d time.Duration, count uint64) float64 {
	return float64(d) / float64(time.Microsecond) / float64(max(count, 1))
}
