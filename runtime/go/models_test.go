package cfn

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

type tag struct {
	Key   *string `json:"Key,omitzero"`
	Value *string `json:"Value,omitzero"`
}

type open struct {
	Known      *string        `json:"Known,omitzero"`
	Additional map[string]any `json:"-" cfn:"additional"`
}

type every struct {
	Text   *string                `json:"Text,omitzero"`
	Whole  *int                   `json:"Whole,omitzero"`
	Real   *float64               `json:"Real,omitzero"`
	Flag   *bool                  `json:"Flag,omitzero"`
	Any    any                    `json:"Any,omitzero"`
	Tag    *tag                   `json:"Tag,omitzero"`
	Tags   Set[tag]               `json:"Tags,omitzero"`
	Words  Set[string]            `json:"Words,omitzero"`
	Grid   [][]tag                `json:"Grid,omitzero"`
	Maps   map[string][]int       `json:"Maps,omitzero"`
	Either *Either[bool, int]     `json:"Either,omitzero"`
	Odd    *string                `json:"-" property:"a \"b\", c"`
	Secret *string                `json:"Secret,omitzero" cfn:"writeOnly"`
	Open   *open                  `json:"Open,omitzero"`
	Nested *every                 `json:"Nested,omitzero"`
	Mixed  []Either[int, float64] `json:"Mixed,omitzero"`
}

func roundTrip(t *testing.T, text string) string {
	t.Helper()
	var model every
	if err := Unmarshal([]byte(text), &model); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	written, err := Marshal(model)
	if err != nil {
		t.Fatal(err)
	}
	return string(written)
}

func TestModelsComeBackAsTheyWere(t *testing.T) {
	for _, text := range []string{
		`{}`,
		`{"Text":"","Whole":0,"Flag":false,"Tag":{},"Tags":[],"Words":[],"Grid":[],"Maps":{},"Open":{}}`,
		`{"Any":{"a":[null,"5",true,1.50,12345678901234567890]}}`,
		`{"Grid":[[{"Key":"k"},{}],[]],"Maps":{"a":[1],"b":[]}}`,
		`{"a \"b\", c":"x"}`,
		`{"Open":{"Known":"k","other":{"x":"5"}}}`,
		`{"Nested":{"Nested":{"Whole":-9223372036854775808}}}`,
		`{"Mixed":[1,1.5]}`,
		`{"Any":false}`,
	} {
		if written := roundTrip(t, text); written != text {
			t.Errorf("%s became %s", text, written)
		}
	}
}

func TestStringifiedScalarsBecomeWhatIsDeclared(t *testing.T) {
	for text, expected := range map[string]string{
		`{"Text":5,"Whole":"5","Real":"0.5","Flag":"TRUE"}`:                              `{"Text":"5","Whole":5,"Real":0.5,"Flag":true}`,
		`{"Text":true,"Whole":5.0,"Real":"1e3"}`:                                         `{"Text":"true","Whole":5,"Real":1000}`,
		`{"Either":"true","Mixed":["1","2.5"]}`:                                          `{"Either":true,"Mixed":[1,2.5]}`,
		`{"Either":"7","Whole":"1e2"}`:                                                   `{"Whole":100,"Either":7}`,
		`{"Tag":null,"Text":null,"Tags":null}`:                                           `{}`,
		`{"Tags":[{"Key":"a","Value":"1"},{"Value":1,"Key":"a"}],"Words":["a","b","a"]}`: `{"Tags":[{"Key":"a","Value":"1"}],"Words":["a","b"]}`,
	} {
		if written := roundTrip(t, text); written != expected {
			t.Errorf("%s became %s", text, written)
		}
	}
}

func TestMisfitsAreNamedByTheirPlaceAndNeverShown(t *testing.T) {
	for text, place := range map[string]string{
		`{"Nope":"canary"}`:                  "unknown property at /Nope",
		`{"Grid":[[{"Key":"k","No/pe":1}]]}`: "/Grid/0/0/No~1pe",
		`{"Whole":"canary"}`:                 "expected an integer, found a string at /Whole",
		`{"Whole":5.5}`:                      "a number with a fraction at /Whole",
		`{"Whole":1e300}`:                    "64 bits",
		`{"Whole":"0x10"}`:                   "/Whole",
		`{"Whole":" 5"}`:                     "/Whole",
		`{"Whole":"1_000"}`:                  "/Whole",
		`{"Whole":true}`:                     "found a boolean at /Whole",
		`{"Real":"inf"}`:                     "/Real",
		`{"Real":{}}`:                        "found an object at /Real",
		`{"Flag":"no"}`:                      `neither "true" nor "false" at /Flag`,
		`{"Flag":1}`:                         "found a number at /Flag",
		`{"Text":[]}`:                        "found an array at /Text",
		`{"Tags":{}}`:                        "expected an array, found an object at /Tags",
		`{"Words":["a",null]}`:               "found null at /Words/1",
		`{"Maps":{"a":["x"]}}`:               "/Maps/a/0",
		`{"Tag":"canary"}`:                   "expected an object, found a string at /Tag",
		`{"Either":"x"}`:                     "/Either",
		`[]`:                                 "expected an object, found an array",
	} {
		var model every
		err := Unmarshal([]byte(text), &model)
		if err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("%s: %v, expected %s", text, err, place)
		} else if strings.Contains(err.Error(), "canary") {
			t.Errorf("%s: the value is in %v", text, err)
		}
	}
}

func TestWhatJSONCannotHoldIsNamedByItsPlace(t *testing.T) {
	self := map[string]any{}
	self["self"] = self
	for place, value := range map[string]any{
		"chan int":            map[string]any{"a": []any{make(chan int)}},
		"not a finite number": math.NaN(),
		"keys of type int":    map[int]string{1: "a"},
		"contains itself":     self,
		"is not a number":     json.Number("x"),
		"func()":              func() {},
	} {
		if _, err := Marshal(every{Any: value}); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("%s: %v", place, err)
		}
	}
}

func TestWhatGoKnowsHowToWriteIsWritten(t *testing.T) {
	at := time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)
	text, err := Marshal(map[string]any{
		"at": at, "raw": json.RawMessage(`{"a":1}`), "bytes": []int8{1}, "nil": (*tag)(nil), "u": uint8(3),
		"pointer": Ptr(Ptr("x")), "f": float32(0.5),
	})
	expected := `{"at":"2024-01-02T03:04:05Z","bytes":[1],"f":0.5,"nil":null,"pointer":"x","raw":{"a":1},"u":3}`
	if err != nil || string(text) != expected {
		t.Errorf("%s, %v", text, err)
	}
}

func TestSetsAreEqualWhateverTheirOrder(t *testing.T) {
	one := Set[tag]{{Key: Ptr("a")}, {Key: Ptr("b"), Value: Ptr("c")}}
	other := Set[tag]{{Key: Ptr("b"), Value: Ptr("c")}, {Key: Ptr("a")}, {Key: Ptr("a")}}
	if !one.Equal(other) || one.Equal(other[:1]) || one.Equal(Set[tag]{{}, {Key: Ptr("a")}}) {
		t.Error("equality of sets")
	}
	if !one.Contains(tag{Key: Ptr("a")}) || one.Contains(tag{}) {
		t.Error("members of sets")
	}
	text, _ := Marshal(other)
	if string(text) != `[{"Key":"b","Value":"c"},{"Key":"a"}]` {
		t.Errorf("%s", text)
	}
	nested := Set[Set[int]]{{1, 2}, {2, 1}, {2}}
	if text, _ := Marshal(nested); string(text) != `[[1,2],[2]]` {
		t.Errorf("%s", text)
	}
	numbers := Set[any]{json.Number("1"), 1.0, "1", json.Number("1e0"), true}
	if text, _ := Marshal(numbers); string(text) != `[1,"1",true]` {
		t.Errorf("%s", text)
	}
}

func TestModelsAreShownWithoutTheirSecrets(t *testing.T) {
	model := every{Text: Ptr("t"), Secret: Ptr("canary"), Nested: &every{Secret: Ptr("canary")}, Tags: Set[tag]{{}}}
	shown := Show(&model)
	if strings.Contains(shown, "canary") || !strings.Contains(shown, `"Text":"t"`) || !strings.Contains(shown, mask) {
		t.Error(shown)
	}
	if Show((*every)(nil)) != "<nil>" {
		t.Error(Show((*every)(nil)))
	}
}

func TestContextsAreReadAsTheyWereWritten(t *testing.T) {
	context := CallbackContext{"n": json.Number("5"), "s": "x", "o": map[string]any{"Key": "k"}, "nil": nil, "i": 3}
	if n, found := Get[int](context, "n"); n != 5 || !found {
		t.Error("a number")
	}
	if i, found := Get[float64](context, "i"); i != 3 || !found {
		t.Error("another number")
	}
	if o, found := Get[tag](context, "o"); !found || *o.Key != "k" {
		t.Error("an object")
	}
	for _, name := range []string{"nil", "absent", "s"} {
		if _, found := Get[int](context, name); found {
			t.Error(name)
		}
	}
}

// FuzzModels: any JSON is read or refused, and what is read is written and read again as the same.
func FuzzModels(f *testing.F) {
	for _, seed := range []string{
		`{"Text":"a","Whole":"5","Tags":[{"Key":"a"}],"Grid":[[{}]],"Any":{"x":[1,null]},"Open":{"y":1}}`,
		`{"Either":"true","Mixed":[1,"2.5"],"Maps":{"a":[1]}}`, `{"Real":1e400}`, `[`, `{"Nested":{"Nope":1}}`, "{}{}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var model every
		if Unmarshal(data, &model) != nil {
			return
		}
		written, err := Marshal(model)
		if err != nil {
			t.Fatalf("%q was read and can't be written: %v", data, err)
		}
		var again every
		if err := Unmarshal(written, &again); err != nil {
			t.Fatalf("%q was written as %s and can't be read: %v", data, written, err)
		}
		rewritten, err := Marshal(again)
		if err != nil || string(rewritten) != string(written) {
			t.Fatalf("%s was written again as %s (%v)", written, rewritten, err)
		}
		if !reflect.DeepEqual(model.Tag, again.Tag) {
			t.Fatalf("%s changed", written)
		}
	})
}
