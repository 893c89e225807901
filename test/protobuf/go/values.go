package main

import (
	"math"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/intstr"
)

// texts: keys that are also names of a JavaScript object's own machinery, letters that sort differently by byte and by
// UTF-16 unit, letters that decoders drop or JSON escapes, lengths where a varint grows.
var texts = []string{
	"", "__proto__", "constructor", "toString", "hasOwnProperty", "length", "null", "0", "9", "10", "-0", "1e3", "a", "B",
	"\x00", "a\x00b", "\ufeff", "\ufeffafter a byte order mark", "a\u2028b\u2029c", `quotes " ' and \ back`, "line\nfeed\ttab\r",
	"<script>&amp;</script>", "\u007f\u0080\u00ff", "é", "e\u0301", "\ud7ff", "\ue000", "\ufffd", "\uffff", "😀", "\U00010000", "\U0010ffff",
	"😀\ue000", "\ue000😀", strings.Repeat("x", 127), strings.Repeat("x", 128), strings.Repeat("é", 64), strings.Repeat("😀", 33),
	strings.Repeat("long ", 400),
}

var integers = []int64{
	0, 1, -1, 127, 128, 1 << 31, 1<<31 - 1, -1 << 31, 1 << 32, 1<<53 - 1, 1 << 53, 1<<53 + 1, 1<<53 + 3, -1<<53 - 1,
	math.MaxInt64, math.MaxInt64 - 1, math.MinInt64, 1<<62 + 1, 999999999999999999,
}

var shortIntegers = []int64{0, 1, -1, 127, 128, 16383, 16384, math.MaxInt32, math.MinInt32}

var doubles = []float64{
	0, math.Copysign(0, -1), 1, -1.5, 0.1, 1e21, 1e20, 1e-6, 1e-7, math.MaxFloat64, math.SmallestNonzeroFloat64, 1 << 53,
	123456789.123456789,
}

// quantities in every notation that is taken; some keep their text when they are parsed, some do not.
var quantities = []string{
	"0", "0.0", "-0", "+1", ".5", "1.", "1.50", "1500m", "0.5", "100m", "0.1", "1e3", "1E3", "1e-3", "1k", "1000k", "1M", "1Gi",
	"1024Mi", "0.5Gi", "1.5Ki", "0.0001Ki", "1n", "0.1n", "1u", "1500000u", "-1.5k", "9223372036854775807", "9223372036854775808",
	"-9223372036854775808", "12345678901234567890123m", "100000000000000000000", "8Ei", "16Ei", "1E", "1e18", "1e19", "00012", "1.000",
}

var times = []time.Time{
	{}, time.Unix(0, 0), time.Unix(-1, 0), time.Unix(1, 0), time.Unix(1700000000, 123456789), time.Unix(1700000000, 999999999),
	time.Unix(1700000000, 500), time.Unix(1700000000, 1000), time.Unix(1700000000, 120000000), time.Unix(1709210096, 0),
	time.Unix(-62135596799, 0), time.Unix(-62135596800, 1000), time.Unix(253402300799, 999999000),
	time.Date(2024, 2, 29, 23, 59, 59, 0, time.FixedZone("far east", 14*3600)), time.Date(1, 2, 3, 4, 5, 6, 0, time.UTC),
	time.Date(99, 1, 1, 0, 0, 0, 0, time.UTC),
}

var intsOrStrings = []intstr.IntOrString{
	{}, intstr.FromInt32(0), intstr.FromInt32(-1), intstr.FromInt32(math.MaxInt32), intstr.FromInt32(math.MinInt32), intstr.FromInt32(8080),
	intstr.FromString(""), intstr.FromString("50%"), intstr.FromString("0"), intstr.FromString("__proto__"), intstr.FromString("\u2028"),
	{Type: intstr.Int, IntVal: 7, StrVal: "not said in JSON"}, {Type: intstr.String, IntVal: 7, StrVal: "said"},
}

// byteStrings of every length that padding depends on, none at all among them.
var byteStrings = [][]byte{
	nil, {}, {0}, {0xff, 0xfe}, []byte("abc"), []byte("\xff\xfb\xf0\x00"), []byte("not UTF-8: \xc3\x28"), []byte(strings.Repeat("\x00\xff", 300)),
}

var fieldSets = []string{
	``, `{}`, `{"f:metadata":{"f:labels":{".":{},"f:app":{}}}}`, `{"f:spec":{"k:{\"name\":\"a\"}":{".":{}},"v:\"x\"":{}}}`,
	`{"f:__proto__":{},"__proto__":{"a":1},"f:é😀":{}}`, `{ "f:spaces" : { } }`, `{"i:0":{},"i:1":{}}`, `{"f:\u2028\u0000":{}}`,
}

// jsonTexts are valid; not all of them are what a program writes that read them.
var jsonTexts = []string{
	`null`, `true`, `0`, `-0`, `1.0`, `1e3`, `1E400`, `12345678901234567890`, `0.1`, `""`, `"text"`, `"\u2028\u0000\ufeff\"\\"`, `"<&>"`,
	`"\ud83d\ude00 😀"`, `[]`, `{}`, `[null]`, `[[[[]]]]`, `{"a":{"b":[1,2,{"c":null}]}}`, `{"b":1,"a":2}`, `{"10":1,"9":2,"a":3}`,
	`{"__proto__":{"polluted":true},"":0}`, `{"a":1,"a":2}`, ` { "spaces" : [ 1 , 2 ] } `, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"}}`,
	`"\ud800"`, `"` + strings.Repeat("x", 200) + `"`,
}
