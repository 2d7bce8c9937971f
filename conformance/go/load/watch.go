package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Creates under way while the watchers are fed: enough that they do not wait for the creates.
const feeders = 8

// watchTimeout ends a run in which events are missing.
const watchTimeout = 2 * time.Minute

type watchResult struct {
	EventsPerSecond float64 `json:"eventsPerSecond"`
	Bytes           int64   `json:"bytes"`
	ServerCPUUs     float64 `json:"serverCpuUs"`
	ClientCPUUs     float64 `json:"clientCpuUs"`
}

// audience is watchers that count lines and bytes.
type audience struct {
	pool     Pool
	expected int64
	opened   sync.WaitGroup
	lines    atomic.Int64
	bytes    atomic.Int64
	complete chan struct{}
	failures chan error
}

// runWatch opens the watches, creates objects and takes the time until every watcher was told of every object.
func runWatch(target *Target, o options, pids []int) (any, error) {
	pool, err := target.Dial(o.connections)
	if err != nil {
		return nil, err
	}
	a := &audience{pool: pool, expected: int64(o.watchers * o.count), complete: make(chan struct{}), failures: make(chan error, 1)}
	result, err := a.run(target, o, pids)
	return result, errors.Join(err, pool.Close())
}

func (a *audience) run(target *Target, o options, pids []int) (watchResult, error) {
	if err := a.open(target, o); err != nil {
		return watchResult{}, err
	}
	c, err := newCreator(target, options{path: o.path, body: o.body, connections: 1})
	if err != nil {
		return watchResult{}, err
	}
	before, err := readCPU(pids)
	if err != nil {
		return watchResult{}, err
	}
	start := time.Now()
	if _, err := c.createAll(options{count: o.count, clients: feeders}, nil); err != nil {
		return watchResult{}, err
	}
	if err := a.wait(); err != nil {
		return watchResult{}, err
	}
	elapsed := time.Since(start)
	after, err := readCPU(pids)
	if err != nil {
		return watchResult{}, err
	}
	cpu := after.since(before)
	return watchResult{
		EventsPerSecond: float64(a.expected) / elapsed.Seconds(),
		Bytes:           a.bytes.Load(),
		ServerCPUUs:     microsecondsEach(cpu.server, uint64(a.expected)),
		ClientCPUUs:     microsecondsEach(cpu.client, uint64(a.expected)),
	}, nil
}

// open starts all watches at the present revision of the collection and waits until each was accepted.
func (a *audience) open(target *Target, o options) error {
	revision, err := revisionOf(a.pool, target, o.path)
	if err != nil {
		return err
	}
	block := target.Block("GET", withQuery(o.path, "watch=1&resourceVersion="+url.QueryEscape(revision)), 0)
	a.opened.Add(o.watchers)
	for i := range o.watchers {
		if err := a.pool[i%len(a.pool)].Send(a.watcher(block)); err != nil {
			return err
		}
	}
	for _, conn := range a.pool {
		if err := conn.Flush(); err != nil {
			return err
		}
	}
	a.opened.Wait()
	select {
	case err := <-a.failures:
		return err
	default:
		return nil
	}
}

func (a *audience) watcher(block []byte) *Exchange {
	hasHead := false
	return &Exchange{
		Block: block,
		Head: func(status int) {
			hasHead = true
			if status != 200 {
				a.fail(fmt.Errorf("a watch was answered with status %d", status))
			}
			a.opened.Done()
		},
		Data: func(piece []byte) {
			a.bytes.Add(int64(len(piece)))
			// A line is an event.
			if a.lines.Add(int64(bytes.Count(piece, newline))) == a.expected {
				close(a.complete)
			}
		},
		End: func(_ int, err error) {
			a.fail(fmt.Errorf("a watch ended: %w", err))
			if !hasHead {
				a.opened.Done()
			}
		},
	}
}

var newline = []byte{'\n'}

func (a *audience) fail(err error) {
	select {
	case a.failures <- err:
	default:
	}
}

func (a *audience) wait() error {
	select {
	case <-a.complete:
		return nil
	case err := <-a.failures:
		return err
	case <-time.After(watchTimeout):
		return fmt.Errorf("only %d of %d events came within %v", a.lines.Load(), a.expected, watchTimeout)
	}
}

func revisionOf(pool Pool, target *Target, path string) (string, error) {
	body, err := pool.Get(target.Block("GET", withQuery(path, "limit=1"), 0))
	if err != nil {
		return "", err
	}
	var list struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	err = json.Unmarshal(body, &list)
	return list.Metadata.ResourceVersion, err
}

func withQuery(path, query string) string {
	if strings.Contains(path, "?") {
		return path + "&" + query
	}
	return path + "?" + query
}
