package main

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
)

// A record is a list of byte strings: their number, then each with its length before it, all in four bytes, the
// highest first.

const (
	mostParts     = 1 << 20
	longestPart   = 1 << 30
	bufferedBytes = 1 << 20
)

func readRecord(from *bufio.Reader) ([][]byte, error) {
	count, err := readNumber(from)
	if err != nil {
		return nil, err
	}
	if count > mostParts {
		return nil, fmt.Errorf("a record of %d parts", count)
	}
	parts := make([][]byte, count)
	for i := range parts {
		if parts[i], err = readPart(from); err != nil {
			return nil, fmt.Errorf("part %d: %w", i, err)
		}
	}
	return parts, nil
}

func readPart(from *bufio.Reader) ([]byte, error) {
	length, err := readNumber(from)
	if err != nil {
		return nil, err
	}
	if length > longestPart {
		return nil, fmt.Errorf("%d bytes", length)
	}
	part := make([]byte, length)
	_, err = io.ReadFull(from, part)
	return part, err
}

func readNumber(from *bufio.Reader) (uint32, error) {
	var bytes [4]byte
	if _, err := io.ReadFull(from, bytes[:]); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint32(bytes[:]), nil
}

func writeRecord(to *bufio.Writer, parts [][]byte) error {
	if err := writeNumber(to, len(parts)); err != nil {
		return err
	}
	for _, part := range parts {
		if err := writeNumber(to, len(part)); err != nil {
			return err
		}
		if _, err := to.Write(part); err != nil {
			return err
		}
	}
	return to.Flush()
}

func writeNumber(to *bufio.Writer, number int) error {
	var bytes [4]byte
	binary.BigEndian.PutUint32(bytes[:], uint32(number))
	_, err := to.Write(bytes[:])
	return err
}
