// Command controller-gen prints the definitions that controller-gen derives from the Go types of a package.
package main

import (
	"fmt"
	"os"

	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
)

func main() {
	descriptions := 0
	embedded := true
	var generator genall.Generator = crd.Generator{
		MaxDescLen:                 &descriptions,
		GenerateEmbeddedObjectMeta: &embedded,
		AllowDangerousTypes:        &embedded,
	}
	generators := genall.Generators{&generator}
	run, err := generators.ForRoots(os.Args[1:]...)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	run.OutputRules = genall.OutputRules{Default: genall.OutputToStdout}
	if run.Run() {
		os.Exit(1)
	}
}
