// Runs the validators of the Operator Framework for a bundle, or prints OLM's definition of
// ClusterServiceVersions.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/operator-framework/api/crds"
	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
	interfaces "github.com/operator-framework/api/pkg/validation/interfaces"
)

// The default validators, and the suites `operatorframework`, `operatorhub` and `good-practices` of
// operator-sdk, without the one that starts Docker.
var validators = map[string]interfaces.Validators{
	"default":          validation.DefaultBundleValidators,
	"objects":          {validation.ObjectValidator},
	"operatorhub":      {validation.OperatorHubValidator, validation.OperatorHubV2Validator},
	"categories":       {validation.StandardCategoriesValidator},
	"capabilities":     {validation.StandardCapabilitiesValidator},
	"good-practices":   {validation.GoodPracticesValidator},
	"alpha-deprecated": {validation.AlphaDeprecatedAPIsValidator},
}

type finding struct {
	Suite   string `json:"suite"`
	Level   string `json:"level"`
	Message string `json:"message"`
}

func main() {
	findings, err := run(os.Args[1:])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(findings); err != nil {
		os.Exit(1)
	}
}

func run(args []string) (any, error) {
	if len(args) == 1 && args[0] == "definition" {
		return crds.ClusterServiceVersion(), nil
	}
	if len(args) != 2 || args[0] != "validate" {
		return nil, fmt.Errorf("usage: olm definition | olm validate FOLDER")
	}
	bundle, err := manifests.GetBundleFromDir(args[1])
	if err != nil {
		return nil, err
	}
	objects := bundle.ObjectsToValidate()
	for _, object := range bundle.Objects {
		objects = append(objects, object)
	}
	found := []finding{}
	for suite, each := range validators {
		for _, result := range each.Validate(objects...) {
			for _, problem := range result.Errors {
				found = append(found, finding{suite, "error", problem.Error()})
			}
			for _, problem := range result.Warnings {
				found = append(found, finding{suite, "warning", problem.Error()})
			}
		}
	}
	return found, nil
}
