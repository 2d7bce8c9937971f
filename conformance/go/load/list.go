package load

import (
	"errors"
	"slices"
	"time"
)

type listResult struct {
	MedianMs    float64 `json:"medianMs"`
	Bytes       int     `json:"bytes"`
	ServerCPUMs float64 `json:"serverCpuMs"`
	ClientCPUMs float64 `json:"clientCpuMs"`
}

// runList reads a collection whole, again and again, on one connection.
func runList(target *Target, o options, pids []int) (any, error) {
	pool, err := target.Dial(1)
	if err != nil {
		return nil, err
	}
	result, err := lists(pool, target.Block("GET", o.path, 0), max(o.repeat, 1), pids)
	return result, errors.Join(err, pool.Close())
}

func lists(pool Pool, block []byte, repeat int, pids []int) (listResult, error) {
	if _, err := getLength(pool, block); err != nil {
		return listResult{}, err
	}
	before, err := readCPU(pids)
	if err != nil {
		return listResult{}, err
	}
	var result listResult
	times := make([]time.Duration, 0, repeat)
	for range repeat {
		start := time.Now()
		if result.Bytes, err = getLength(pool, block); err != nil {
			return listResult{}, err
		}
		times = append(times, time.Since(start))
	}
	after, err := readCPU(pids)
	if err != nil {
		return listResult{}, err
	}
	slices.Sort(times)
	cpu := after.since(before)
	result.MedianMs = milliseconds(times[len(times)/2])
	result.ServerCPUMs = milliseconds(cpu.server) / float64(repeat)
	result.ClientCPUMs = milliseconds(cpu.client) / float64(repeat)
	return result, nil
}

// getLength asks and counts the bytes of the answer.
func getLength(pool Pool, block []byte) (int, error) {
	length := 0
	err := pool.ask(block, func(piece []byte) { length += len(piece) })
	return length, err
}
