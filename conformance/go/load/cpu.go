package load

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The kernel counts in hundredths of a second in /proc, whatever its own tick is.
const clockTick = 10 * time.Millisecond

// Processor time used so far.
type cpuUse struct {
	client, server time.Duration
}

// readCPU reads what this process and the servers' processes have used, in user and kernel mode.
func readCPU(pids []int) (cpuUse, error) {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return cpuUse{}, err
	}
	use := cpuUse{client: time.Duration(usage.Utime.Nano() + usage.Stime.Nano())}
	for _, pid := range pids {
		ticks, err := ticksOf(pid)
		if err != nil {
			return cpuUse{}, err
		}
		use.server += time.Duration(ticks) * clockTick
	}
	return use, nil
}

func (u cpuUse) since(before cpuUse) cpuUse {
	return cpuUse{client: u.client - before.client, server: u.server - before.server}
}

func ticksOf(pid int) (int64, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	// The name of the program stands in parentheses and may hold anything; utime and stime are the 12th and 13th field after it.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat: expected at least 13 fields after the name, got %d", pid, len(fields))
	}
	user, err := strconv.ParseInt(string(fields[11]), 10, 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseInt(string(fields[12]), 10, 64)
	return user + system, err
}

func parsePids(text string) ([]int, error) {
	var pids []int
	for part := range strings.SplitSeq(text, ",") {
		if part == "" {
			continue
		}
		pid, err := strconv.Atoi(part)
		if err != nil {
			return nil, fmt.Errorf("-pids %s: expected numbers with commas between them", text)
		}
		pids = append(pids, pid)
	}
	return pids, nil
}
