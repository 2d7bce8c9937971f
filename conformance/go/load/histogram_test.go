package load

import (
	"math"
	"testing"
	"time"
)

func TestHistogramGivesQuantilesWithinASixtyFourth(t *testing.T) {
	var h Histogram
	for i := 1; i <= 100_000; i++ {
		h.Record(time.Duration(i) * time.Microsecond)
	}
	for _, q := range []float64{0.01, 0.5, 0.9, 0.99, 0.999, 1} {
		exact := q * 100_000
		got := float64(h.Quantile(q) / time.Microsecond)
		if got < exact || math.Abs(got-exact)/exact > 1.0/64 {
			t.Errorf("quantile %v: got %v µs, expected %v µs or up to a sixty-fourth more", q, got, exact)
		}
	}
	if h.Max() != 100*time.Millisecond || h.Count() != 100_000 {
		t.Errorf("got max %v and count %d", h.Max(), h.Count())
	}
}

func TestHistogramIsExactForFewSmallValues(t *testing.T) {
	var h Histogram
	for _, us := range []int{1, 2, 3, 4} {
		h.Record(time.Duration(us) * time.Microsecond)
	}
	for q, want := range map[float64]time.Duration{0: 1, 0.25: 1, 0.5: 2, 0.75: 3, 0.99: 4, 1: 4} {
		if got := h.Quantile(q); got != want*time.Microsecond {
			t.Errorf("quantile %v: got %v, expected %v µs", q, got, int64(want))
		}
	}
}

func TestHistogramKeepsExtremes(t *testing.T) {
	var h Histogram
	if h.Quantile(0.5) != 0 {
		t.Error("an empty histogram has a median other than zero")
	}
	h.Record(-time.Second)
	h.Record(math.MaxInt64)
	if h.Quantile(0.5) != 0 || h.Quantile(1) != h.Max() || h.Max() != math.MaxInt64 {
		t.Errorf("got %v, %v, %v", h.Quantile(0.5), h.Quantile(1), h.Max())
	}
}

func TestHistogramAddsAnother(t *testing.T) {
	var one, other, both Histogram
	for i := range 1000 {
		d := time.Duration(i*i) * time.Microsecond
		both.Record(d)
		if i%3 == 0 {
			one.Record(d)
		} else {
			other.Record(d)
		}
	}
	one.Add(&other)
	if one != both {
		t.Error("the sum of two histograms differs from one that recorded everything")
	}
}

func TestBucketsFollowEachOtherWithoutGap(t *testing.T) {
	for bucket := range 63 * subBuckets {
		end := upperEnd(bucket)
		if end == math.MaxUint64 {
			return
		}
		if bucketOf(end) != bucket || bucketOf(end+1) != bucket+1 {
			t.Fatalf("bucket %d ends at %d, which is in bucket %d; the next value is in bucket %d", bucket, end, bucketOf(end), bucketOf(end+1))
		}
	}
}
