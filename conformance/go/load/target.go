package load

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"strconv"

	"golang.org/x/net/http2/hpack"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// Target is a server and who asks it.
type Target struct {
	address string
	token   string
	tls     *tls.Config
}

// LoadTarget reads a kubeconfig.
func LoadTarget(kubeconfig string) (*Target, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, err
	}
	server, err := url.Parse(config.Host)
	if err != nil {
		return nil, err
	}
	tlsConfig, err := rest.TLSConfigFor(config)
	if err != nil {
		return nil, err
	}
	if tlsConfig == nil {
		tlsConfig = &tls.Config{}
	}
	if tlsConfig.ServerName == "" {
		tlsConfig.ServerName = server.Hostname()
	}
	return &Target{address: server.Host, token: config.BearerToken, tls: tlsConfig}, nil
}

// Dial opens as many connections as asked for.
func (t *Target) Dial(count int) (Pool, error) {
	pool := make(Pool, 0, count)
	for range count {
		conn, err := Dial(t.address, t.tls)
		if err != nil {
			return nil, errors.Join(err, pool.Close())
		}
		pool = append(pool, conn)
	}
	return pool, nil
}

// Block encodes the header block of a request once for all times that it is sent: nothing in it refers to the connection's dynamic table.
func (t *Target) Block(method, path string, bodySize int) []byte {
	var block bytes.Buffer
	encoder := hpack.NewEncoder(&block)
	field := func(name, value string) {
		// What is sensitive never enters the dynamic table. A buffer takes everything.
		_ = encoder.WriteField(hpack.HeaderField{Name: name, Value: value, Sensitive: true})
	}
	field(":method", method)
	field(":scheme", "https")
	field(":authority", t.address)
	field(":path", path)
	field("accept", "application/json")
	field("user-agent", "steersman-load")
	if t.token != "" {
		field("authorization", "Bearer "+t.token)
	}
	if bodySize > 0 {
		field("content-type", "application/json")
		field("content-length", strconv.Itoa(bodySize))
	}
	return block.Bytes()
}

// Pool is some connections to one server.
type Pool []*Conn

// Close ends all of them.
func (p Pool) Close() error {
	var errs []error
	for _, conn := range p {
		errs = append(errs, conn.Close())
	}
	return errors.Join(errs...)
}

// Get asks on the first connection and gives the whole body.
func (p Pool) Get(block []byte) ([]byte, error) {
	var body []byte
	if err := p.ask(block, func(piece []byte) { body = append(body, piece...) }); err != nil {
		return nil, fmt.Errorf("%w: %s", err, body)
	}
	return body, nil
}

// ask asks on the first connection and waits for the whole answer, which must have status 200.
func (p Pool) ask(block []byte, data func(piece []byte)) error {
	ended := make(chan error, 1)
	exchange := &Exchange{Block: block, Data: data, End: func(status int, err error) {
		if err == nil && status != 200 {
			err = fmt.Errorf("status %d", status)
		}
		ended <- err
	}}
	if err := errors.Join(p[0].Send(exchange), p[0].Flush()); err != nil {
		return err
	}
	return <-ended
}
