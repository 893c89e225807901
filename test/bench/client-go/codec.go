package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

var (
	serializer = protobuf.NewSerializer(scheme.Scheme, scheme.Scheme)
	encoder    = scheme.Codecs.EncoderForVersion(serializer, corev1.SchemeGroupVersion)
)

// coded is what a list took both ways, milliseconds of the processor; encoding is of one pod after the other.
type coded struct {
	DecodeMs []float64 `json:"decodeMs"`
	EncodeMs []float64 `json:"encodeMs"`
}

// convert makes of pods.json, a PodList, what a server would send: list.pb, list.json as Go writes it after a round trip,
// and modified.pb, frames of a watch in which every pod is modified.
func convert(_ context.Context, given settings) (any, error) {
	text, err := os.ReadFile(filepath.Join(given.Folder, "pods.json"))
	if err != nil {
		return nil, err
	}
	var read corev1.PodList
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&read); err != nil {
		return nil, err
	}
	wire, err := runtime.Encode(encoder, &read)
	if err != nil {
		return nil, err
	}
	pods, err := decodeList(wire)
	if err != nil {
		return nil, err
	}
	frames, err := framesOf(pods)
	if err != nil {
		return nil, err
	}
	pods.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("PodList"))
	back, err := json.Marshal(pods)
	if err != nil {
		return nil, err
	}
	for name, content := range map[string][]byte{"list.pb": wire, "list.json": back, "modified.pb": frames} {
		if err := os.WriteFile(filepath.Join(given.Folder, name), content, 0o600); err != nil {
			return nil, err
		}
	}
	return map[string]int{"json": len(back), "protobuf": len(wire)}, nil
}

func framesOf(pods *corev1.PodList) ([]byte, error) {
	var frames bytes.Buffer
	for index := range pods.Items {
		raw, err := runtime.Encode(encoder, &pods.Items[index])
		if err != nil {
			return nil, err
		}
		event := metav1.WatchEvent{Type: "MODIFIED", Object: runtime.RawExtension{Raw: raw}}
		body, err := event.Marshal()
		if err != nil {
			return nil, err
		}
		frames.Write(binary.BigEndian.AppendUint32(nil, uint32(len(body))))
		frames.Write(body)
	}
	return frames.Bytes(), nil
}

func decodeList(wire []byte) (*corev1.PodList, error) {
	var pods corev1.PodList
	_, _, err := serializer.Decode(wire, nil, &pods)
	return &pods, err
}

// codec decodes list.pb and encodes its pods, several times.
func codec(_ context.Context, given settings) (any, error) {
	wire, err := os.ReadFile(filepath.Join(given.Folder, "list.pb"))
	if err != nil {
		return nil, err
	}
	var measured coded
	for range 4 {
		var pods *corev1.PodList
		_, ms, err := timed(func() (err error) {
			pods, err = decodeList(wire)
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(pods.Items) != given.Count {
			return nil, fmt.Errorf("%d pods instead of %d", len(pods.Items), given.Count)
		}
		measured.DecodeMs = append(measured.DecodeMs, ms)
		_, ms, err = timed(func() error { return encodeAll(pods) })
		if err != nil {
			return nil, err
		}
		measured.EncodeMs = append(measured.EncodeMs, ms)
	}
	return measured, nil
}

func encodeAll(pods *corev1.PodList) error {
	for index := range pods.Items {
		if _, err := runtime.Encode(encoder, &pods.Items[index]); err != nil {
			return err
		}
	}
	return nil
}
