package load

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"slices"
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
	BytesPerEvent   float64 `json:"bytesPerEvent"`
	ServerCPUUs     float64 `json:"serverCpuUs"`
	ClientCPUUs     float64 `json:"clientCpuUs"`
}

// audience is watchers that count lines and bytes.
type audience struct {
	pool   Pool
	opened sync.WaitGroup
	bytes  atomic.Int64
	// Lines that are still to come in this round.
	missing  atomic.Int64
	complete chan struct{}
	failures chan error
}

// runWatch opens the watches and then, again and again, creates objects and takes the time until every watcher was told of every object. The first round does not count.
func runWatch(target *Target, o options, pids []int) (any, error) {
	pool, err := target.Dial(o.connections)
	if err != nil {
		return nil, err
	}
	a := &audience{pool: pool, complete: make(chan struct{}, 1), failures: make(chan error, 1)}
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
	result, err := a.rounds(c, o, pids)
	return result, errors.Join(err, c.pool.Close())
}

func (a *audience) rounds(c *creator, o options, pids []int) (watchResult, error) {
	if _, err := a.round(c, o); err != nil {
		return watchResult{}, err
	}
	a.bytes.Store(0)
	before, err := readCPU(pids)
	if err != nil {
		return watchResult{}, err
	}
	times := make([]time.Duration, max(o.repeat, 1))
	for i := range times {
		if times[i], err = a.round(c, o); err != nil {
			return watchResult{}, err
		}
	}
	after, err := readCPU(pids)
	if err != nil {
		return watchResult{}, err
	}
	slices.Sort(times)
	cpu, each := after.since(before), o.watchers*o.count
	all := uint64(each * len(times))
	return watchResult{
		EventsPerSecond: float64(each) / times[len(times)/2].Seconds(),
		BytesPerEvent:   float64(a.bytes.Load()) / float64(all),
		ServerCPUUs:     microsecondsEach(cpu.server, all),
		ClientCPUUs:     microsecondsEach(cpu.client, all),
	}, nil
}

// round creates objects and waits until every watcher was told of each.
func (a *audience) round(c *creator, o options) (time.Duration, error) {
	a.missing.Store(int64(o.watchers * o.count))
	start := time.Now()
	c.createMany(feeders, o.count)
	select {
	case <-a.complete:
		return time.Since(start), nil
	case err := <-c.failures:
		return 0, err
	case err := <-a.failures:
		return 0, err
	case <-time.After(watchTimeout):
		return 0, fmt.Errorf("%d events did not come within %v", a.missing.Load(), watchTimeout)
	}
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
			if lines := int64(bytes.Count(piece, newline)); lines > 0 && a.missing.Add(-lines) == 0 {
				a.complete <- struct{}{}
			}
		},
		End: func(_ int, err error) {
			a.fail(errors.Join(errors.New("the server ended a watch"), err))
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
