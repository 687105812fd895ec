"""The inputs that fuzzing found defects with, and its corpus, again."""

import importlib
import io
import zipfile

import pytest

from formwork.diagnostics import BadInputError
from formwork.jsonata.errors import TransformError
from formwork.patterns import PatternError, PatternTimeoutError, compile_pattern
from formwork.registry.packages import unpack_archive
from formwork.schema.transforms import apply_transform, parse_transform
from fuzz.kept import TARGETS, corpus, findings
from fuzz.mutations import Mutator

FEW = 15  # of a corpus, the smallest


@pytest.mark.parametrize("target", TARGETS)
def test_what_was_a_defect_is_none_any_more(target):
    module = importlib.import_module(f"fuzz.targets.{target}")
    with module.opened() as check:
        for data, _was in findings(target):
            check(data)
        for data in corpus(target)[:FEW]:
            check(data)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_the_whole_corpus(target):
    module = importlib.import_module(f"fuzz.targets.{target}")
    with module.opened() as check:
        for data in (*module.seeds(), *corpus(target)):
            check(data)


@pytest.mark.parametrize(
    ("expression", "why"),  # on a machine that is busy elsewhere the time may be over first
    [
        ("$pad('a', -1000000000)", "too long a text"),
        ("($p := $pad(?, 1000000000); $p('a'))", "too long a text"),
        ("$fromMillis(1, '[f,1000000000]')", "too long a text"),
        ("$replace($pad('a', 900000), 'a', $pad('b', 900000))", "too long a text"),
        ("$contains('a', /((a{999}){999}){999}/)", "too large a regular expression"),
        ("$reduce([1..40], function($a, $b) { [[$a], [$a]] }, 'x')", "too large a value|timeout"),
        ("$$ ~> |$|{'a': $reduce([1..40], function($a, $b) {{'l': $a, 'r': $a}}, 'x')}|", "too large a value|timeout"),
        ("$join($split($pad('a', 900), ''), $pad('b', 900000))", "too long a text"),
    ],
)
def test_an_expression_makes_no_large_value(expression, why):
    with pytest.raises(TransformError, match=why):
        apply_transform(parse_transform(expression)[0], {})


def test_the_bounds_leave_usual_expressions_alone():
    expression = (
        "$fromMillis(0, '[Y0001]-[M01]-[D01,2-2]') & $pad('a', 3, '-') & $join(['a', 'b'], ', ')"
        " & $replace('2018', /[0-9]{4}/, 'x')"
    )
    assert apply_transform(parse_transform(expression)[0], {}) == "1970-01-01a--a, bx"


def test_a_call_of_what_is_not_a_function_prints_nothing(capsys):
    with pytest.raises(TransformError, match="not a function"):
        apply_transform(parse_transform("Secret('x')")[0], {"Secret": "hidden"})
    assert capsys.readouterr() == ("", "")


def test_a_pattern_whose_repetitions_are_too_large_is_refused():
    with pytest.raises(PatternError, match="its repetitions make it 970,399 characters long"):
        compile_pattern(r"((?<x>a{99}){99}\k<x>){99}\b")
    plain = compile_pattern("((a{999}){999}){999}")  # Python's own engine does not write repetitions out
    assert not plain.is_found_in("a")
    with pytest.raises(PatternTimeoutError, match="too large for a value of this length"):
        plain.is_found_in("a" * 10_001)


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_of_a_package_is_named(tmp_path, method):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("a.txt", " ".join(map(str, range(400))))
        begin = archive.infolist()[0].header_offset + 30 + len("a.txt")
    content = bytearray(packed.getvalue())
    for at in range(begin + 4, begin + 34):
        content[at] ^= 0xFF
    with pytest.raises(BadInputError, match=r"a\.txt"):
        unpack_archive(bytes(content), tmp_path, "the package")


def test_mutations_keep_json_and_texts_within_their_kind():
    mutator = Mutator([b'{"a": ["b", {"c": 1}]}', b"some text: [x]"])
    assert mutator.mutate(b"x" * 30_000, 1) is None
    changed = {mutator.mutate(b'{"a": {"b": "{\\"inner\\": true}"}}', seed) for seed in range(100)}
    assert len(changed) > 50
    assert changed == {mutator.mutate(b'{"a": {"b": "{\\"inner\\": true}"}}', seed) for seed in range(100)}
