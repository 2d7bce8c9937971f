package load

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// nameWidth keeps all bodies equally long, so that one header block serves them all.
const nameWidth = 8

type createResult struct {
	Count       uint64  `json:"count"`
	PerSecond   float64 `json:"perSecond"`
	P50Ms       float64 `json:"p50Ms"`
	P99Ms       float64 `json:"p99Ms"`
	MaxMs       float64 `json:"maxMs"`
	ServerCPUUs float64 `json:"serverCpuUs"`
	ClientCPUUs float64 `json:"clientCpuUs"`
}

// creator sends creates and counts their answers.
type creator struct {
	pool     Pool
	block    []byte
	template string
	sequence atomic.Int64
	// Latencies by connection: each is recorded by one reader.
	latencies []Histogram
	measures  atomic.Bool
	underWay  sync.WaitGroup
	failures  chan error
}

func newCreator(target *Target, o options) (*creator, error) {
	if !strings.Contains(o.body, "{name}") {
		return nil, errors.New("-body: expected {name} in it")
	}
	pool, err := target.Dial(o.connections)
	if err != nil {
		return nil, err
	}
	c := &creator{pool: pool, template: o.body, latencies: make([]Histogram, len(pool)), failures: make(chan error, 1)}
	c.block = target.Block("POST", o.path, len(c.nextBody()))
	return c, nil
}

func (c *creator) nextBody() []byte {
	name := fmt.Sprintf("%0*d", nameWidth, c.sequence.Add(1))
	return []byte(strings.ReplaceAll(c.template, "{name}", name))
}

// send sends one create whose latency counts from the given time, and calls next when it was answered.
func (c *creator) send(connection int, from time.Time, next func()) {
	c.underWay.Add(1)
	body := c.nextBody()
	exchange := &Exchange{Block: c.block, Body: body, End: func(status int, err error) {
		defer c.underWay.Done()
		if err == nil && status != 201 {
			err = fmt.Errorf("a create was answered with status %d", status)
		}
		if err != nil {
			c.fail(err)
			return
		}
		if c.measures.Load() {
			c.latencies[connection].Record(time.Since(from))
		}
		next()
	}}
	if err := c.pool[connection].Send(exchange); err != nil {
		c.fail(err)
		c.underWay.Done()
	}
}

func (c *creator) fail(err error) {
	select {
	case c.failures <- err:
	default:
	}
}

// measure counts from now on for a while.
func (c *creator) measure(o options, pids []int) (createResult, error) {
	if err := c.wait(o.warmUp); err != nil {
		return createResult{}, err
	}
	before, err := readCPU(pids)
	if err != nil {
		return createResult{}, err
	}
	start := time.Now()
	c.measures.Store(true)
	if err := c.wait(o.duration); err != nil {
		return createResult{}, err
	}
	elapsed := time.Since(start)
	after, err := readCPU(pids)
	if err != nil {
		return createResult{}, err
	}
	c.measures.Store(false)
	return c.result(elapsed, after.since(before)), nil
}

func (c *creator) wait(d time.Duration) error {
	select {
	case err := <-c.failures:
		return err
	case <-time.After(d):
		return nil
	}
}

func (c *creator) result(elapsed time.Duration, cpu cpuUse) createResult {
	var all Histogram
	for i := range c.latencies {
		all.Add(&c.latencies[i])
	}
	return createResult{
		Count:       all.Count(),
		PerSecond:   float64(all.Count()) / elapsed.Seconds(),
		P50Ms:       milliseconds(all.Quantile(0.5)),
		P99Ms:       milliseconds(all.Quantile(0.99)),
		MaxMs:       milliseconds(all.Max()),
		ServerCPUUs: microsecondsEach(cpu.server, all.Count()),
		ClientCPUUs: microsecondsEach(cpu.client, all.Count()),
	}
}

func runCreate(target *Target, o options, pids []int) (any, error) {
	c, err := newCreator(target, o)
	if err != nil {
		return nil, err
	}
	switch {
	case o.count > 0:
		return c.createAll(o, pids)
	case o.rate > 0:
		return c.openLoop(o, pids)
	default:
		return c.closedLoop(o, pids)
	}
}

// closedLoop keeps a number of creates under way: each answer sends the next one on the same connection.
func (c *creator) closedLoop(o options, pids []int) (createResult, error) {
	var stopped atomic.Bool
	c.start(o.clients, func() bool { return !stopped.Load() })
	result, err := c.measure(o, pids)
	stopped.Store(true)
	return c.finish(result, err)
}

// createAll creates so many objects as fast as the clients can.
func (c *creator) createAll(o options, pids []int) (createResult, error) {
	before, err := readCPU(pids)
	if err != nil {
		return createResult{}, err
	}
	c.measures.Store(true)
	start := time.Now()
	c.createMany(o.clients, o.count)
	elapsed := time.Since(start)
	after, err := readCPU(pids)
	return c.finish(c.result(elapsed, after.since(before)), err)
}

// createMany returns when all are answered. A failure waits in failures.
func (c *creator) createMany(clients, count int) {
	var sent atomic.Int64
	c.start(clients, func() bool { return sent.Add(1) <= int64(count) })
	c.underWay.Wait()
}

func (c *creator) start(clients int, goesOn func() bool) {
	for client := range clients {
		connection := client % len(c.pool)
		var next func()
		next = func() {
			if goesOn() {
				c.send(connection, time.Now(), next)
			}
		}
		next()
	}
	for _, conn := range c.pool {
		if err := conn.Flush(); err != nil {
			c.fail(err)
		}
	}
}

// openLoop sends at a fixed rate. Latency counts from the time at which the schedule wanted the request sent, so a server that stalls is charged for all who would have come.
func (c *creator) openLoop(o options, pids []int) (createResult, error) {
	stop := make(chan struct{})
	paced := make(chan struct{})
	go func() {
		defer close(paced)
		c.pace(o.rate, stop)
	}()
	result, err := c.measure(o, pids)
	close(stop)
	<-paced
	return c.finish(result, err)
}

func (c *creator) pace(rate float64, stop <-chan struct{}) {
	start := time.Now()
	for i := 0; ; i++ {
		due := start.Add(time.Duration(float64(i) / rate * float64(time.Second)))
		if pause := time.Until(due); pause > 0 {
			select {
			case <-stop:
				return
			case <-time.After(pause):
			}
		} else {
			select {
			case <-stop:
				return
			default:
			}
		}
		connection := i % len(c.pool)
		c.send(connection, due, func() {})
		if err := c.pool[connection].Flush(); err != nil {
			c.fail(err)
		}
	}
}

func (c *creator) finish(result createResult, err error) (createResult, error) {
	if err != nil {
		return result, errors.Join(err, c.pool.Close())
	}
	c.underWay.Wait()
	select {
	case err = <-c.failures:
	default:
	}
	return result, errors.Join(err, c.pool.Close())
}
