package load

import (
	"bufio"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"slices"
	"sync"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// Window that this side grants, for each stream and for the connection: so large that the server never waits for it.
const (
	streamWindow     = 1<<31 - 1
	connectionWindow = 1 << 30
	// The connection's window is refilled when this much of it is used.
	refillAfter = connectionWindow / 4
	// Of the server's windows before it says otherwise (RFC 9113, section 6.9.2).
	initialWindow = 65_535
	maxFrameSize  = 16_384
)

// Exchange is one request on its way, and what becomes of its answer. Its functions are called by the connection's reader and must not block.
type Exchange struct {
	// Block is the encoded header block; see Target.
	Block []byte
	Body  []byte
	// Head is called when the head of the answer is there.
	Head func(status int)
	// Data is called with each piece of the body, which is valid during the call only.
	Data func(piece []byte)
	// End is called once: after the whole answer, or with what ended the stream before.
	End func(status int, err error)

	status int
}

// Conn is one HTTP/2 connection that does nothing but frame requests and count answers: no header maps, no goroutine for each stream, no decoding.
type Conn struct {
	raw     net.Conn
	reader  *bufio.Reader
	framer  *http2.Framer
	headers *hpack.Decoder
	// The stream that a header block under way belongs to.
	current       *Exchange
	currentIsLast bool
	// Bytes of bodies since the window was refilled.
	received uint32

	// mu guards what follows, and the writing half of framer.
	mu           sync.Mutex
	writer       *bufio.Writer
	open         map[uint32]*Exchange
	waiting      []*Exchange
	nextStream   uint32
	serverWindow int64
	maxStreams   uint32
	failure      error
}

// Dial opens a connection and starts its reader.
func Dial(address string, config *tls.Config) (*Conn, error) {
	config = config.Clone()
	config.NextProtos = []string{http2.NextProtoTLS}
	raw, err := tls.Dial("tcp", address, config)
	if err != nil {
		return nil, err
	}
	if protocol := raw.ConnectionState().NegotiatedProtocol; protocol != http2.NextProtoTLS {
		return nil, errors.Join(fmt.Errorf("%s speaks %q, not HTTP/2", address, protocol), raw.Close())
	}
	c := &Conn{
		raw: raw, reader: bufio.NewReaderSize(raw, 256<<10), writer: bufio.NewWriterSize(raw, 64<<10),
		open: map[uint32]*Exchange{}, nextStream: 1, serverWindow: initialWindow, maxStreams: math.MaxUint32,
	}
	c.framer = http2.NewFramer(c.writer, c.reader)
	c.framer.SetReuseFrames()
	c.headers = hpack.NewDecoder(4096, c.headerField)
	if err := c.greet(); err != nil {
		return nil, errors.Join(err, raw.Close())
	}
	go c.read()
	return c, nil
}

func (c *Conn) greet() error {
	if _, err := c.writer.WriteString(http2.ClientPreface); err != nil {
		return err
	}
	settings := []http2.Setting{{ID: http2.SettingInitialWindowSize, Val: streamWindow}, {ID: http2.SettingEnablePush, Val: 0}}
	if err := c.framer.WriteSettings(settings...); err != nil {
		return err
	}
	if err := c.framer.WriteWindowUpdate(0, connectionWindow-initialWindow); err != nil {
		return err
	}
	return c.writer.Flush()
}

// Send takes a request and never waits: what the server has no room for now goes out in order when it has. What is written leaves the socket at the next
// Flush. The connection's reader flushes by itself when it has read everything there is, so who calls from a function of an Exchange need not.
func (c *Conn) Send(x *Exchange) error {
	if len(x.Body) > maxFrameSize {
		return fmt.Errorf("a body of %d bytes: expected at most %d", len(x.Body), maxFrameSize)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failure != nil {
		return c.failure
	}
	c.waiting = append(c.waiting, x)
	return c.writeWaiting()
}

// Flush sends what was written.
func (c *Conn) Flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.writer.Flush()
}

// writeWaiting needs mu.
func (c *Conn) writeWaiting() error {
	for len(c.waiting) > 0 {
		x := c.waiting[0]
		if int64(len(x.Body)) > c.serverWindow || uint32(len(c.open)) >= c.maxStreams {
			return nil
		}
		c.waiting = c.waiting[1:]
		if err := c.writeRequest(x); err != nil {
			return err
		}
	}
	return nil
}

func (c *Conn) writeRequest(x *Exchange) error {
	stream := c.nextStream
	c.nextStream += 2
	c.serverWindow -= int64(len(x.Body))
	c.open[stream] = x
	hasBody := len(x.Body) > 0
	head := http2.HeadersFrameParam{StreamID: stream, BlockFragment: x.Block, EndHeaders: true, EndStream: !hasBody}
	if err := c.framer.WriteHeaders(head); err != nil || !hasBody {
		return err
	}
	return c.framer.WriteData(stream, true, x.Body)
}

// Close ends the connection and with it every exchange under way.
func (c *Conn) Close() error {
	return c.raw.Close()
}

func (c *Conn) read() {
	var err error
	for err == nil {
		if c.reader.Buffered() == 0 {
			err = c.Flush()
		}
		var frame http2.Frame
		if err == nil {
			frame, err = c.framer.ReadFrame()
		}
		if err == nil {
			err = c.handle(frame)
		}
	}
	c.fail(err)
}

func (c *Conn) fail(err error) {
	if errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) {
		err = fmt.Errorf("the connection is closed: %w", err)
	}
	c.mu.Lock()
	c.failure = err
	lost := slices.AppendSeq(c.waiting, maps.Values(c.open))
	c.waiting, c.open = nil, map[uint32]*Exchange{}
	c.mu.Unlock()
	for _, x := range lost {
		x.End(x.status, err)
	}
}

func (c *Conn) handle(frame http2.Frame) error {
	switch frame := frame.(type) {
	case *http2.HeadersFrame:
		c.current, c.currentIsLast = c.exchange(frame.StreamID), frame.StreamEnded()
		return c.handleHeaders(frame.StreamID, frame.HeaderBlockFragment(), frame.HeadersEnded())
	case *http2.ContinuationFrame:
		return c.handleHeaders(frame.StreamID, frame.HeaderBlockFragment(), frame.HeadersEnded())
	case *http2.DataFrame:
		return c.handleData(frame)
	case *http2.RSTStreamFrame:
		return c.end(frame.StreamID, fmt.Errorf("the server ended the stream: %v", frame.ErrCode))
	case *http2.SettingsFrame:
		return c.handleSettings(frame)
	case *http2.PingFrame:
		if !frame.IsAck() {
			return c.write(func() error { return c.framer.WritePing(true, frame.Data) })
		}
	case *http2.WindowUpdateFrame:
		if frame.StreamID == 0 {
			return c.write(func() error {
				c.serverWindow += int64(frame.Increment)
				return c.writeWaiting()
			})
		}
	case *http2.GoAwayFrame:
		return fmt.Errorf("the server goes away: %v %s", frame.ErrCode, frame.DebugData())
	}
	return nil
}

func (c *Conn) handleSettings(frame *http2.SettingsFrame) error {
	if frame.IsAck() {
		return nil
	}
	return c.write(func() error {
		if most, isSet := frame.Value(http2.SettingMaxConcurrentStreams); isSet {
			c.maxStreams = most
		}
		return c.framer.WriteSettingsAck()
	})
}

func (c *Conn) handleHeaders(stream uint32, fragment []byte, isWhole bool) error {
	if _, err := c.headers.Write(fragment); err != nil {
		return err
	}
	if !isWhole {
		return nil
	}
	if err := c.headers.Close(); err != nil {
		return err
	}
	if c.current != nil && c.current.Head != nil {
		c.current.Head(c.current.status)
	}
	if c.currentIsLast {
		return c.end(stream, nil)
	}
	return nil
}

func (c *Conn) headerField(field hpack.HeaderField) {
	if field.Name == ":status" && c.current != nil && len(field.Value) == 3 {
		c.current.status = int(field.Value[0]-'0')*100 + int(field.Value[1]-'0')*10 + int(field.Value[2]-'0')
	}
}

func (c *Conn) handleData(frame *http2.DataFrame) error {
	if x := c.exchange(frame.StreamID); x != nil && x.Data != nil {
		x.Data(frame.Data())
	}
	if c.received += frame.Length; c.received >= refillAfter {
		refill := c.received
		c.received = 0
		if err := c.write(func() error { return c.framer.WriteWindowUpdate(0, refill) }); err != nil {
			return err
		}
	}
	if frame.StreamEnded() {
		return c.end(frame.StreamID, nil)
	}
	return nil
}

// write lets a function write frames, which leave at the next flush.
func (c *Conn) write(frames func() error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return frames()
}

func (c *Conn) exchange(stream uint32) *Exchange {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open[stream]
}

func (c *Conn) end(stream uint32, err error) error {
	c.mu.Lock()
	x := c.open[stream]
	delete(c.open, stream)
	failure := c.writeWaiting()
	c.mu.Unlock()
	if x != nil {
		x.End(x.status, err)
	}
	return failure
}
