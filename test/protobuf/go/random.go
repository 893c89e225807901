package main

import (
	"fmt"
	"hash/fnv"
	"math/rand"

	"k8s.io/apimachinery/pkg/api/apitesting/fuzzer"
	metafuzzer "k8s.io/apimachinery/pkg/apis/meta/fuzzer"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/randfill"
)

// shape says how an object is filled.
type shape struct {
	name string
	// The share of pointers, slices and maps that stay nil.
	nilChance float64
	// The number of elements of the others.
	least, most int
	// How likely a value is replaced by one that is hard to write.
	hostile float64
	// Nothing but what exists: pointers lead to zero values, elements are zero.
	zero bool
}

// The first objects of each kind are these; then the last two take turns.
var shapes = []shape{
	{name: "zero", nilChance: 1},
	{name: "hollow", nilChance: 0, least: 1, most: 1, zero: true},
	{name: "empty", nilChance: 0, least: 0, most: 0, zero: true},
	{name: "full", nilChance: 0, least: 1, most: 1, hostile: 0.2},
	{name: "plain", nilChance: 0.5, least: 0, most: 1},
	{name: "hostile", nilChance: 0.6, least: 0, most: 2, hostile: 0.3},
}

func shapeOf(index int) shape {
	if index < len(shapes) {
		return shapes[index]
	}
	return shapes[len(shapes)-1-index%2]
}

// random makes the object of a kind that belongs to a seed and an index, the same one each time.
func (c *codec) random(wanted which, index int) (runtime.Object, string, error) {
	object, err := c.empty(wanted.APIVersion, wanted.Kind)
	if err != nil {
		return nil, "", err
	}
	kind := object.GetObjectKind().GroupVersionKind()
	shape := shapeOf(index)
	if shape.name != "zero" {
		source := rand.NewSource(mix(wanted, index))
		c.fill(object, shape, source)
	}
	object.GetObjectKind().SetGroupVersionKind(kind)
	return object, shape.name, nil
}

func (c *codec) fill(object runtime.Object, shape shape, source rand.Source) {
	if shape.zero {
		newHollow(shape.most).fill(object)
		return
	}
	funcs := fuzzer.MergeFuzzerFuncs(metafuzzer.Funcs, schemaFuncs, exactFuncs)
	filler := fuzzer.FuzzerFor(funcs, source, c.factory)
	filler.NilChance(shape.nilChance).NumElements(shape.least, shape.most)
	filler.Fill(object)
	if shape.hostile > 0 {
		newPoison(rand.New(source), shape.hostile).spread(object)
	}
}

func mix(wanted which, index int) int64 {
	hash := fnv.New64a()
	fmt.Fprintf(hash, "%d %s %s %d", wanted.Seed, wanted.APIVersion, wanted.Kind, index)
	return int64(hash.Sum64())
}

// exactFuncs keeps to integers that JSON can carry; others are among the hostile values.
func exactFuncs(serializer.CodecFactory) []any {
	return []any{
		func(integer *int64, c randfill.Continue) { *integer = c.Int63() % exactIntegers },
	}
}
