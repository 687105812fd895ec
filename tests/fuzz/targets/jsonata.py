"""Property transforms: JSONata read, evaluated within its bounds, compared.

An input is an expression, or {"expression": text, "parent": value, "actual": value}.
"""

import contextlib
import json

from formwork.documents import parse_document
from formwork.jsonata.errors import TransformError
from formwork.schema.resource import build_resource_schema
from formwork.schema.transforms import apply_transform, matches, parse_transform
from fuzz.envelopes import bytes_of, read_envelope, whole_text

PARENT = {
    "Name": "abc",
    "Id": 3,
    "Bag": ["b", "a", "b"],
    "List": [{"Key": "x", "Value": 1.5}, {"Key": "y"}],
    "On": True,
}


@contextlib.contextmanager
def opened():
    yield check


def check(data):
    envelope = read_envelope(data, "expression")
    text = data.decode("utf-8", "replace") if envelope is None else whole_text(envelope["expression"])
    parent = PARENT if envelope is None else envelope.get("parent", PARENT)
    actual = "abc" if envelope is None else envelope.get("actual", "abc")
    with contextlib.suppress(TransformError):
        for alternative in parse_transform(text):
            with contextlib.suppress(TransformError):
                apply_transform(alternative, parent)
    value = {"typeName": "A::B::C", "properties": {"Name": {}}, "propertyTransform": {"/properties/Name": text}}
    schema = build_resource_schema(parse_document(json.dumps(value), name="schema.json"))
    if isinstance(parent, dict):
        matches(schema, ("Name",), {"Name": "n", **parent}, {"Name": actual})


def seeds():
    for expression in EXPRESSIONS:
        yield expression.encode()
    yield bytes_of({"expression": EXPRESSIONS[0], "parent": PARENT, "actual": "abc."})
    yield bytes_of({"expression": '$join(["arn:[a-z-]+:", Name, "$"])', "parent": {"Name": "x"}, "actual": "arn:aws:x"})


EXPRESSIONS = (
    '$join([Name, "."])',
    "$lowercase(Name) $OR $uppercase(Name)",
    "$abs(Id) $OR $power(Id, 2) $OR $sqrt(Id)",
    'List[Key="x"].Value ~> $sum()',
    "$map(Bag, function($v, $i) { $v & $string($i) })",
    "($f := function($n) { $n <= 1 ? 1 : $n * $f($n - 1) }; $f(5))",
    "$replace(Name, /(a)(b)?/i, '$1x') /* comment */",
    "$split(Name, /b+/)[0] ~> $pad(-5, '#')",
    "$formatNumber(Id, '#,##0.00;(0)') & $formatBase(Id, 2) & $formatInteger(Id, 'I')",
    "$fromMillis(0, '[Y0001]-[M01]-[D01]T[H01]:[m01][Z]') & $toMillis('2018')",
    "$sort(Bag, function($l, $r) { $l > $r })^(<$, >$)",
    "List{Key: $count(Value), 'a': [1..5]}",
    "List@$l#$i.{ 'k': $l.Key, 'i': $i, '%': %.Name }",
    "**.Key[$contains($, /x/)] | $ | {'b': 1}, ['Key'] |",
    "$reduce([1..9], function($a, $b) { $a * $b }, 1) in [1, 2] and On or not(On)",
    "$each($, function($v, $k) { $k }) ~> $distinct ~> $reverse ~> $shuffle",
    "$base64encode(Name) & $encodeUrl(Name) & $type(Id) & $eval('1+1') & $substringAfter(Name, 'a')",
    "$zip([1,2],[3]) ~> $string(true) ~> $length",
    "$number('0x1F') % 2 - -1 / 0.5 != 1e3 ? Name : Id ?: On ?? 1",
    "$spread($merge([$, {'a': 1}])) ~> $lookup('a')",
    "$match(Name, /./g).{ 'm': match, 'g': groups } ~> $filter(function($v) { $exists($v) })",
    "$error('x') & $assert(false, 'y') & $parseInteger('12', '#0') & $round(2.5, -1) & $random()",
)
