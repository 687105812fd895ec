"""What is refused, with its code and place, and what texts become."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwork.diagnostics import BadInputError, Position
from formwork.documents import MAX_BYTES, DocumentFormat, load_document, parse_document
from formwork.documents.opening import read_at_most

REFUSED = [
    # text, name, code, line, column
    ('{"a": 1,\n}', "x.json", "document.syntax", 1, 8),
    ("[1,\n 2,\n]", "x.json", "document.syntax", 2, 3),
    ('{"a": 1\n "b": 2}', "x.json", "document.syntax", 1, 8),
    ("{'a': 1}", "x.json", "document.syntax", 1, 2),
    ('{"a": True}', "x.json", "document.syntax", 1, 7),
    ('{"a" 1}', "x.json", "document.syntax", 1, 6),
    ('{"/properties/A": "$join([A, \\".\\"])" $OR "b"}', "x.json", "document.syntax", 1, 39),
    ('{"/properties/A": $join(["P", A])}', "x.json", "document.syntax", 1, 19),
    ("{a: 1}", "x.json", "document.syntax", 1, 2),
    ('{"a": "\\q"}', "x.json", "document.syntax", 1, 8),
    ('{"a": "b\nc"}', "x.json", "document.syntax", 1, 9),
    ('{"a": "b', "x.json", "document.syntax", 1, 7),
    ('{"a": 1} 2', "x.json", "document.syntax", 1, 10),
    ("// a\n{}", "x.json", "document.syntax", 1, 1),
    ("", "x.json", "document.syntax", 1, 1),
    ('{"a": [', "x.json", "document.syntax", 1, 8),
    ('{"a": NaN}', "x.json", "document.bad-number", 1, 7),
    ('{"NaN": 1,\n "b": -Infinity}', "x.json", "document.bad-number", 2, 7),
    ('{"a": 1e400}', "x.json", "document.bad-number", 1, 7),
    ('{"a": ' + "9" * 5000 + "}", "x.json", "document.bad-number", 1, 7),
    ('{"a": {"b": [1, {"c": 1,\n "c": 2}]}}', "x.json", "document.duplicate-key", 2, 2),
    ('{"a": "\\ud800"}', "x.json", "document.bad-unicode", None, None),
    ("[" * 100_000, "x.json", "document.too-deep", None, None),
    ("[" * 201 + "]" * 201, "x.json", "document.too-deep", None, None),
    ("[" + "1," * 1_000_001 + "1]", "x.json", "document.too-many-values", None, None),
    ('"' + "x" * MAX_BYTES + '"', "x.json", "document.too-large", None, None),
    ("a: 1\na: 2", "x.yaml", "document.duplicate-key", 2, 1),
    ("a: [1", "x.yaml", "document.syntax", 2, 1),
    ("a: 1\n---\nb: 1", "x.yaml", "document.syntax", 2, 1),
    ("", "x.yaml", "document.syntax", None, None),
    ("a: b: c", "x.yaml", "document.syntax", 1, 5),
    ("a: *b", "x.yaml", "document.syntax", 1, 4),
    ("a: &b [*b]", "x.yaml", "document.cycle", 1, 8),
    ("a: .nan", "x.yaml", "document.bad-number", 1, 4),
    ("a: 1e999", "x.yaml", "document.bad-number", 1, 4),
    ("a: !Ref b", "x.yaml", "document.unknown-tag", 1, 4),
    ("a: !!python/object/apply:os.system [ls]", "x.yaml", "document.unknown-tag", None, None),
    ("? [a]\n: b", "x.yaml", "document.key-not-string", None, None),
    ("[" * 100_000, "x.yaml", "document.too-deep", 1, 201),
    ("- " * 100_000, "x.yaml", "document.too-deep", 1, 401),
    ("a: &a []\nb: [" + "*a," * 10_001 + "]", "x.yaml", "document.too-many-values", 2, 30_005),
]


@pytest.mark.parametrize(("text", "name", "code", "line", "column"), REFUSED, ids=lambda value: repr(value)[:30])
def test_refused(text, name, code, line, column):
    with pytest.raises(BadInputError) as caught:
        parse_document(text, name=name)
    (found,) = caught.value.diagnostics
    assert found.code == code
    assert found.location.file == name
    assert found.expected
    if line is not None:
        assert found.location.start == Position(line, column)


def test_alias_bomb_is_counted_expanded():
    lines = ["a0: &a0 [1,1,1,1,1,1,1,1,1,1]"]
    lines += [f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(BadInputError) as caught:
        parse_document("\n".join(lines), name="x.yaml")
    assert caught.value.diagnostics[0].code == "document.too-many-values"


def test_aliases_nest_as_deep_as_what_they_stand_for():
    lines = ["a0: &a0 [1]", *(f"a{n}: &a{n} [*a{n - 1}]" for n in range(1, 300))]
    with pytest.raises(BadInputError) as caught:
        parse_document("\n".join(lines), name="x.yaml")
    assert caught.value.diagnostics[0].code == "document.too-deep"


YAML_VALUES = [
    ("a: yes\nb: on\nc: No", {"a": "yes", "b": "on", "c": "No"}),
    ("a: true\nb: False\nc: null\nd: ~\ne:", {"a": True, "b": False, "c": None, "d": None, "e": None}),
    ("a: 2010-09-09\nb: 012\nc: 1_000\nd: 12:30", {"a": "2010-09-09", "b": "012", "c": "1_000", "d": "12:30"}),
    ("a: 12\nb: -1.5\nc: 1e3\nd: 0x10\ne: +3\nf: .5", {"a": 12, "b": -1.5, "c": 1000.0, "d": 16, "e": 3, "f": 0.5}),
    ('a: "12"\nb: !!str 12\nc: !!float 1', {"a": "12", "b": "12", "c": 1.0}),
    ("404: x\ntrue: y", {"404": "x", "true": "y"}),
    ("a: &x {b: 1}\nc: {<<: *x, d: 2}", {"a": {"b": 1}, "c": {"d": 2, "b": 1}}),
    ("a: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
]


@pytest.mark.parametrize(("text", "value"), YAML_VALUES)
def test_yaml_values(text, value):
    found = parse_document(text, name="x.yaml").value
    assert found == value
    assert json.dumps(found) == json.dumps(value)  # 1 and 1.0 and True are not the same


def test_short_tags():
    text = "a: !GetAtt b.c.d\nb: !Sub '${x}'\nc: yes\nd: !If [x, !Ref y, !GetAZs '']\ne: !Condition x"
    assert parse_document(text, name="t.yaml", short_tags=True).value == {
        "a": {"Fn::GetAtt": ["b", "c.d"]},
        "b": {"Fn::Sub": "${x}"},
        "c": True,
        "d": {"Fn::If": ["x", {"Ref": "y"}, {"Fn::GetAZs": ""}]},
        "e": {"Condition": "x"},
    }


JSON_PLACES = '{"a": {"b": [1, {"c" : 12}]},\r\n "d~/": null}'
YAML_PLACES = "a:\n  b:\n    - 1\n    - c: 12\nd~/: null\n"


@pytest.mark.parametrize(
    ("text", "tokens", "key", "start", "end"),
    [
        (JSON_PLACES, (), False, (1, 1), (2, 14)),
        (JSON_PLACES, ("a", "b", 1, "c"), False, (1, 24), (1, 26)),
        (JSON_PLACES, ("a", "b", 1, "c"), True, (1, 18), (1, 21)),
        (JSON_PLACES, ("a", "b", 0), True, (1, 14), (1, 15)),
        (JSON_PLACES, ("a", "nope", "c"), True, (1, 7), (1, 29)),
        (JSON_PLACES, ("d~/",), True, (2, 2), (2, 7)),
        (YAML_PLACES, ("a", "b", 1, "c"), False, (4, 10), (4, 12)),
        (YAML_PLACES, ("a", "b", 1, "c"), True, (4, 7), (4, 8)),
        (YAML_PLACES, ("d~/",), True, (5, 1), (5, 4)),
        ("é: 1\nü: {ö: 2}", ("ü", "ö"), False, (2, 8), (2, 9)),
        ('{"é€😀": 1}', ("é€😀",), False, (1, 9), (1, 10)),
    ],
)
def test_places(text, tokens, key, start, end):
    location = parse_document(text, name="x").locate(tokens, key=key)
    assert (location.start, location.end) == (Position(*start), Position(*end))


def test_pointer_of_a_place_is_escaped():
    assert parse_document(JSON_PLACES, name="x").locate(("d~/",)).pointer == "/d~0~1"


def test_format_by_suffix_and_content(tmp_path):
    path = tmp_path / "a.yml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\r\n")
    assert load_document(path).value == {"a": 1}
    assert load_document(path, name="shown.yml").locate(["a"]).file == "shown.yml"
    assert parse_document("\ufeff [1]", name="stdin").format is DocumentFormat.JSON
    assert parse_document("a: 1", name="stdin").format is DocumentFormat.YAML


@pytest.mark.parametrize(
    ("data", "code", "position"),
    [
        (b'{"a":\n "\xe9"}', "document.encoding", Position(2, 3)),
        ("{}".encode("utf-16"), "document.encoding", None),
        (b" " * (MAX_BYTES + 1), "document.too-large", None),
    ],
)
def test_bad_files(tmp_path, data, code, position):
    path = tmp_path / "a.json"
    path.write_bytes(data)
    with pytest.raises(BadInputError) as caught:
        load_document(path)
    assert caught.value.diagnostics[0].code == code
    assert caught.value.diagnostics[0].location.start == position


def test_unreadable(tmp_path):
    for path in (tmp_path, tmp_path / "nope.json"):
        with pytest.raises(BadInputError) as caught:
            load_document(path)
        assert caught.value.diagnostics[0].code == "document.unreadable"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(JSON_VALUES, st.sampled_from([None, 1, 4]))
def test_json_round_trip_with_places(value, indent):
    text = json.dumps(value, indent=indent)
    document = parse_document(text, name="x.json")
    assert document.value == value
    pending = [((), value)]
    lines = text.split("\n")
    while pending:
        tokens, each = pending.pop()
        location = document.locate(tokens)
        if location.start.line == location.end.line:
            line = lines[location.start.line - 1]
            assert json.loads(line[location.start.column - 1 : location.end.column - 1]) == each
        if isinstance(each, dict):
            pending += [((*tokens, key), child) for key, child in each.items()]
        elif isinstance(each, list):
            pending += [((*tokens, index), child) for index, child in enumerate(each)]


@given(st.text() | st.text(alphabet='{}[]:,"\\ \n-&*!ab1.#|>') | st.binary().map(lambda data: data.decode("latin-1")))
def test_any_text_is_a_document_or_refused(text):
    for name in ("x.json", "x.yaml"):
        for short_tags in (False, True):
            try:
                parse_document(text, name=name, short_tags=short_tags).locate(["a", 0])
            except BadInputError as error:
                assert all(each.message for each in error.diagnostics)  # noqa: PT017 - most texts raise nothing


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no device without an end here")
def test_a_file_without_an_end():
    with pytest.raises(BadInputError) as caught:
        load_document("/dev/zero")
    assert caught.value.diagnostics[0].code == "document.too-large"


@pytest.mark.parametrize("size", [0, 3, 5, 9], ids=["of a device", "that has grown", "as it is", "that has shrunk"])
def test_a_file_is_read_whole_or_to_the_limit(size):
    file = io.BytesIO(b"abcde")
    assert read_at_most(file, 100, size=size) == b"abcde"
    file.seek(0)
    assert read_at_most(file, 1, size=size) == b"ab"
