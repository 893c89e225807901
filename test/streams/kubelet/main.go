// A kubelet for tests: serves exec, attach and port-forward of any pod on Kubernetes' own streaming server
// library. Sessions run local processes in the folder of the first argument; ports are those of this machine.
// Prints its port, and ends when its standard input ends.
package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"time"

	"k8s.io/cri-streaming/pkg/streaming/portforward"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"
)

const (
	idle     = 4 * time.Hour
	creation = 30 * time.Second
)

type runtime struct{ folder string }

func (r runtime) ExecInContainer(ctx context.Context, _, _, _ string, command []string, in io.Reader, out, err io.WriteCloser, _ bool, _ <-chan remotecommand.TerminalSize, _ time.Duration) error {
	process := exec.CommandContext(ctx, command[0], command[1:]...)
	process.Dir = r.folder
	if out != nil {
		process.Stdout = out
	}
	if err != nil {
		process.Stderr = err
	}
	if in != nil {
		pipe, failed := process.StdinPipe()
		if failed != nil {
			return failed
		}
		go func() {
			_, _ = io.Copy(pipe, in)
			_ = pipe.Close()
		}()
	}
	if failed := process.Run(); failed != nil {
		if exit, ok := failed.(*exec.ExitError); ok {
			return &utilexec.ExitErrorWrapper{ExitError: exit}
		}
		return failed
	}
	return nil
}

func (r runtime) AttachContainer(ctx context.Context, name, uid, container string, in io.Reader, out, err io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize) error {
	return r.ExecInContainer(ctx, name, uid, container, []string{"cat"}, in, out, err, tty, resize, 0)
}

func (r runtime) PortForward(_ context.Context, _, _ string, port int32, stream io.ReadWriteCloser) error {
	connection, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	defer connection.Close()
	go func() {
		_, _ = io.Copy(connection, stream)
		_ = connection.(*net.TCPConn).CloseWrite()
	}()
	_, err = io.Copy(stream, connection)
	return err
}

func main() {
	kubelet := runtime{os.Args[1]}
	handle := func(w http.ResponseWriter, request *http.Request) {
		parts := strings.Split(request.URL.Path, "/")
		switch parts[1] {
		case "portForward":
			options, err := portforward.NewV4Options(request)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			portforward.ServePortForward(w, request, kubelet, parts[3], "", options, idle, creation, portforward.SupportedProtocols)
		case "exec", "attach":
			options, err := remotecommand.NewOptions(request)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			protocols := remotecommand.SupportedStreamingProtocols
			if parts[1] == "attach" {
				remotecommand.ServeAttach(w, request, kubelet, parts[3], "", parts[4], options, idle, creation, protocols)
				return
			}
			command := request.URL.Query()["command"]
			remotecommand.ServeExec(w, request, kubelet, parts[3], "", parts[4], command, options, idle, creation, protocols)
		default:
			http.NotFound(w, request)
		}
	}
	pair, err := tls.LoadX509KeyPair(os.Args[2], os.Args[3])
	if err != nil {
		panic(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		panic(err)
	}
	go func() { _ = http.Serve(listener, http.HandlerFunc(handle)) }()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	_, _ = io.Copy(io.Discard, os.Stdin)
}
