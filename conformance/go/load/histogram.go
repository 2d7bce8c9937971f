package load

import (
	"math/bits"
	"time"
)

// Sub-buckets of each power of two: a value is known to within a sixty-fourth of itself.
const (
	precisionBits = 6
	subBuckets    = 1 << precisionBits
)

// Histogram counts durations in buckets whose width grows with the value, so that recording costs no memory. The zero value is empty. Not safe for concurrent use.
type Histogram struct {
	buckets [64 * subBuckets]uint64
	count   uint64
	max     time.Duration
}

// Record counts one duration, rounded up to a whole microsecond.
func (h *Histogram) Record(d time.Duration) {
	d = max(d, 0)
	h.buckets[bucketOf(microseconds(d))]++
	h.count++
	h.max = max(h.max, d)
}

// Add counts what the other one has counted.
func (h *Histogram) Add(other *Histogram) {
	for i, n := range other.buckets {
		h.buckets[i] += n
	}
	h.count += other.count
	h.max = max(h.max, other.max)
}

// Count is how many durations were recorded.
func (h *Histogram) Count() uint64 { return h.count }

// Max is the longest duration recorded, exactly.
func (h *Histogram) Max() time.Duration { return h.max }

// Quantile gives the duration that the share q of all recorded ones does not exceed: 0.99 for the 99th percentile. Zero when empty.
func (h *Histogram) Quantile(q float64) time.Duration {
	if h.count == 0 {
		return 0
	}
	rank := min(max(uint64(q*float64(h.count)+0.999999), 1), h.count)
	var seen uint64
	for i, n := range h.buckets {
		if seen += n; seen < rank {
			continue
		}
		if end := upperEnd(i); end < microseconds(h.max) {
			return time.Duration(end) * time.Microsecond
		}
		return h.max
	}
	return h.max
}

func microseconds(d time.Duration) uint64 {
	return uint64(d/time.Microsecond) + uint64(min(d%time.Microsecond, 1))
}

// bucketOf is the value itself below 64; from there on each power of two is cut into 64 equal parts.
func bucketOf(value uint64) int {
	if value < subBuckets {
		return int(value)
	}
	shift := bits.Len64(value) - precisionBits - 1
	return (shift+1)<<precisionBits + int(value>>shift) - subBuckets
}

// upperEnd is the largest value in a bucket.
func upperEnd(bucket int) uint64 {
	if bucket < subBuckets {
		return uint64(bucket)
	}
	shift := bucket>>precisionBits - 1
	return (uint64(bucket&(subBuckets-1))+subBuckets+1)<<shift - 1
}
