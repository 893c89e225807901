// The other opinion about protobuf: random objects of every kind, made, written and read by the code that the API server
// itself uses. It knows nothing of the codec that it is compared with.
//
// Records come in on standard input and go out on standard output, one for one; each asks for what its first part names:
//
//	kinds                              all kinds
//	make, which                        random objects, four parts each: facts, protobuf, JSON, protobuf of that JSON
//	check, which, protobuf…            whether these bytes mean the objects that `make` gave
//	decode, protobuf                   JSON of it, or what is wrong with it
//	encode, JSON                       protobuf of it, or what is wrong with it
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

func main() {
	if err := serve(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(in io.Reader, out io.Writer) error {
	codec, err := newCodec()
	if err != nil {
		return err
	}
	from, to := bufio.NewReaderSize(in, bufferedBytes), bufio.NewWriterSize(out, bufferedBytes)
	for {
		request, err := readRecord(from)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		answer, err := codec.answer(request)
		if err != nil {
			return err
		}
		if err := writeRecord(to, answer); err != nil {
			return err
		}
	}
}

func (c *codec) answer(request [][]byte) ([][]byte, error) {
	if len(request) == 0 {
		return nil, errors.New("a record without parts")
	}
	name, rest := string(request[0]), request[1:]
	switch {
	case name == "kinds" && len(rest) == 0:
		return one(json.Marshal(c.kinds()))
	case name == "make" && len(rest) == 1:
		return c.make(rest[0])
	case name == "check" && len(rest) > 0:
		return c.check(rest[0], rest[1:])
	case name == "decode" && len(rest) == 1:
		return outcome(c.toJSON(rest[0])), nil
	case name == "encode" && len(rest) == 1:
		return outcome(c.fromJSON(rest[0])), nil
	}
	return nil, fmt.Errorf("%q with %d parts is no request", name, len(rest))
}

func one(part []byte, err error) ([][]byte, error) {
	return [][]byte{part}, err
}

// outcome has what is wrong first, and what came out second.
func outcome(result []byte, err error) [][]byte {
	if err != nil {
		return [][]byte{[]byte(err.Error()), nil}
	}
	return [][]byte{nil, result}
}

// Which objects: they follow from this alone.
type which struct {
	Seed       int64  `json:"seed"`
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Indexes From to From+Count-1. The first few are special, see shapeOf.
	From  int `json:"from"`
	Count int `json:"count"`
}

// facts about a random object.
type facts struct {
	// How it was made.
	Shape string `json:"shape"`
	// Whether it has integers that a double cannot hold.
	Wide bool `json:"wide"`
	// JSON texts within it.
	Raw []string `json:"raw,omitempty"`
	// JSON texts that say which fields somebody manages.
	Fields []string `json:"fields,omitempty"`
	// Why its JSON cannot be read back, where it cannot.
	Unreadable string `json:"unreadable,omitempty"`
}

func (c *codec) make(request []byte) ([][]byte, error) {
	var wanted which
	if err := json.Unmarshal(request, &wanted); err != nil {
		return nil, err
	}
	var parts [][]byte
	for index := wanted.From; index < wanted.From+wanted.Count; index++ {
		made, err := c.makeOne(wanted, index)
		if err != nil {
			return nil, fmt.Errorf("%s %s, seed %d, object %d: %w", wanted.APIVersion, wanted.Kind, wanted.Seed, index, err)
		}
		parts = append(parts, made...)
	}
	return parts, nil
}

func (c *codec) makeOne(wanted which, index int) ([][]byte, error) {
	object, shape, err := c.random(wanted, index)
	if err != nil {
		return nil, err
	}
	written, err := c.write(object)
	if err != nil {
		return nil, err
	}
	read, err := c.read(written)
	if err != nil {
		return nil, err
	}
	text, err := c.print(read)
	if err != nil {
		return nil, err
	}
	found := facts{Shape: shape}
	found.look(read)
	again, err := c.fromJSON(text)
	if err != nil {
		found.Unreadable = err.Error()
	}
	about, err := json.Marshal(found)
	return [][]byte{about, written, text, again}, err
}
