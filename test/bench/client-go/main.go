// Command client-go does with Kubernetes' own libraries what kgen does, and prints what that took as JSON: it is measured
// beside kgen; nothing else uses it. Its argument says what.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// settings come as JSON in $SETTINGS; the certificates and the key are PEM.
type settings struct {
	Server      string `json:"server"`
	CA          string `json:"ca"`
	Cert        string `json:"cert"`
	Key         string `json:"key"`
	Token       string `json:"token"`
	ContentType string `json:"contentType"`
	Count       int    `json:"count"`
	// Transform drops what the selection of projection.mjs does not have.
	Transform bool `json:"transform"`
	// Folder of the files that `convert` writes and `codec` reads.
	Folder string `json:"folder"`
}

var commands = map[string]func(context.Context, settings) (any, error){
	"informer": informer,
	"list":     list,
	"convert":  convert,
	"codec":    codec,
}

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	if len(os.Args) != 2 || commands[os.Args[1]] == nil {
		return fmt.Errorf("usage: client-go informer|list|convert|codec, with the settings in $SETTINGS")
	}
	var given settings
	if err := json.Unmarshal([]byte(os.Getenv("SETTINGS")), &given); err != nil {
		return fmt.Errorf("$SETTINGS: %w", err)
	}
	measured, err := commands[os.Args[1]](ctx, given)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(measured)
}

// clientsetOf takes answers as they are, without compression.
func clientsetOf(given settings) (*kubernetes.Clientset, error) {
	return kubernetes.NewForConfig(&rest.Config{
		Host:               given.Server,
		BearerToken:        given.Token,
		DisableCompression: true,
		ContentConfig:      rest.ContentConfig{ContentType: given.ContentType},
		TLSClientConfig: rest.TLSClientConfig{
			CAData:   []byte(given.CA),
			CertData: []byte(given.Cert),
			KeyData:  []byte(given.Key),
		},
	})
}
