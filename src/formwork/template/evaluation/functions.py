"""Evaluates the intrinsic functions.

Source: CloudFormation user guide, "Intrinsic function reference" and "Rule-specific intrinsic functions"; the texts of
errors are the service's own where they are known.
"""

import base64
import functools
import ipaddress
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from formwork.documents.scalar_text import as_text
from formwork.template.evaluation.environment import Environment, EvaluationError, StackOutput
from formwork.template.evaluation.values import UNKNOWN, Value, has_unknown
from formwork.template.expressions import Call, Expression, Items, Members, Path, ScalarExpression, literal
from formwork.template.functions import FUNCTION_TABLE
from formwork.template.references import SubText, SubVariable, parse_sub
from formwork.template.template import PSEUDO_PARAMETERS, Template

_BITS = {4: 32, 6: 128}


class Evaluation(Protocol):
    """The interface of the evaluator for functions; `Evaluator` says what the methods raise."""

    @property
    def template(self) -> Template:
        """The template whose expressions are evaluated."""
        ...

    @property
    def environment(self) -> Environment:
        """The values of parameters, resources and exports."""
        ...

    def value(self, expression: Expression) -> Value:
        """Return the value of an expression."""
        ...

    def condition(self, name: str, path: Path = ()) -> bool:
        """Return whether the condition holds."""
        ...

    def truth(self, expression: Expression) -> bool:
        """Return the value of a condition's expression."""
        ...

    def reference(self, name: str, path: Path) -> Value:
        """Return what `Ref` of the name gives."""
        ...

    def attribute(self, name: str, attribute: str, path: Path) -> Value:
        """Return what `Fn::GetAtt` of the resource's attribute gives."""
        ...

    def check_size(self, characters: int, path: Path) -> None:
        """Refuse what is too large before it is built."""
        ...


def _malformed(call: Call) -> EvaluationError:
    problem = FUNCTION_TABLE[call.function].check(call.argument) or f"{call.function} has an argument without a value"
    return EvaluationError(f"Template error: {problem}", call.path)


def _arguments(call: Call, least: int, most: int) -> tuple[Expression, ...]:
    argument = call.argument
    if not isinstance(argument, Items) or not least <= len(argument.items) <= most:
        raise _malformed(call)
    return argument.items


def _text(evaluator: Evaluation, call: Call, expression: Expression) -> str | None:
    """Return the text of an argument, None where it is UNKNOWN."""
    value = evaluator.value(expression)
    if value is UNKNOWN:
        return None
    text = as_text(value)
    if text is None:
        raise _malformed(call)
    return text


def _ref(evaluator: Evaluation, call: Call) -> Value:
    name = _text(evaluator, call, call.argument)
    return UNKNOWN if name is None else evaluator.reference(name, call.path)


def _get_att(evaluator: Evaluation, call: Call) -> Value:
    if isinstance(call.argument, ScalarExpression):
        name, _, attribute = (literal(call.argument) or "").partition(".")
    else:
        parts = [_text(evaluator, call, each) for each in _arguments(call, 2, 100)]
        known = [each for each in parts if each is not None]
        if len(known) < len(parts):
            return UNKNOWN
        name, attribute = known[0], ".".join(known[1:])
    if not name or not attribute:
        raise _malformed(call)
    return evaluator.attribute(name, attribute, (*call.path, "Fn::GetAtt"))


def _sub(evaluator: Evaluation, call: Call) -> Value:
    own: Mapping[str, Expression] = {}
    text = call.argument
    if isinstance(text, Items):
        first, *rest = _arguments(call, 1, 2)
        text = first
        if rest and isinstance(rest[0], Members):
            own = rest[0].members
    template = literal(text)
    if template is None:
        raise _malformed(call)
    # Each once, however often it is named: in a chain of calls the work would double with each.
    known = functools.cache(lambda name: _text(evaluator, call, own[name]))
    parts = [
        part.text
        if isinstance(part, SubText)
        else (known(whole) if (whole := _whole(part)) in own else _sub_part(evaluator, call, part))
        for part in parse_sub(template)
    ]
    return UNKNOWN if None in parts else _joined(evaluator, call, "", [part for part in parts if part is not None])


def _whole(part: SubVariable) -> str:
    return part.name if part.attribute is None else f"{part.name}.{part.attribute}"


def _joined(evaluator: Evaluation, call: Call, separator: str, texts: Sequence[str]) -> str:
    """Return the texts joined, where the whole is not too large to be built."""
    evaluator.check_size(sum(map(len, texts)) + len(separator) * max(0, len(texts) - 1), call.path)
    return separator.join(texts)


def _sub_part(evaluator: Evaluation, call: Call, part: SubVariable) -> str | None:
    whole = _whole(part)
    if part.attribute is None or whole in PSEUDO_PARAMETERS:
        value = evaluator.reference(whole, call.path)
    else:
        value = evaluator.attribute(part.name, part.attribute, call.path)
    if value is UNKNOWN or has_unknown(value):
        return None
    text = ",".join(each for each in map(as_text, value) if each) if isinstance(value, list) else as_text(value)
    if text is None:
        raise EvaluationError(
            f"Template error: variable {whole} in Fn::Sub expression does not resolve to a string", call.path
        )
    return text


def _join(evaluator: Evaluation, call: Call) -> Value:
    delimiter, values = _arguments(call, 2, 2)
    separator, items = _text(evaluator, call, delimiter), evaluator.value(values)
    if items is UNKNOWN or separator is None:
        return UNKNOWN
    if not isinstance(items, list):
        raise _malformed(call)
    if any(each is UNKNOWN for each in items):
        return UNKNOWN
    texts = [as_text(each) for each in items]
    if None in texts:
        raise _malformed(call)
    return _joined(evaluator, call, separator, [each for each in texts if each is not None])


def _split(evaluator: Evaluation, call: Call) -> Value:
    delimiter, source = _arguments(call, 2, 2)
    separator, text = _text(evaluator, call, delimiter), _text(evaluator, call, source)
    if separator is None or text is None:
        return UNKNOWN
    return text.split(separator) if separator else [text]


def _select(evaluator: Evaluation, call: Call) -> Value:
    index, values = _arguments(call, 2, 2)
    number, items = _text(evaluator, call, index), evaluator.value(values)
    if number is None or items is UNKNOWN:
        return UNKNOWN
    if not isinstance(items, list) or not number.isdigit():
        raise _malformed(call)
    if isinstance(values, Items) and int(number) >= len(values.items):  # as the template itself shows
        raise EvaluationError(
            "Template error: Fn::Select requires a list argument with two elements: an integer index and a list",
            call.path,
        )
    if int(number) >= len(items):
        raise EvaluationError(
            f"Template error: Fn::Select cannot select nonexistent value at index {number}", call.path
        )
    return items[int(number)]


def _find_in_map(evaluator: Evaluation, call: Call) -> Value:
    *keys, last = _arguments(call, 3, 4)
    default = last.members.get("DefaultValue") if len(keys) == 3 and isinstance(last, Members) else None
    names = [_text(evaluator, call, each) for each in (keys if len(keys) == 3 else [*keys, last])]
    table: Any = evaluator.template.mappings
    for name in names:
        if name is None:
            return UNKNOWN
        table = table.get(name) if isinstance(table, Mapping) else None
    if table is not None and not isinstance(table, Mapping):
        return list(table) if isinstance(table, (list, tuple)) else table
    if default is not None:
        return evaluator.value(default)
    raise EvaluationError(f"Template error: Unable to get mapping for {'::'.join(map(str, names))}", call.path)


def _if(evaluator: Evaluation, call: Call) -> Value:
    condition, yes, no = _arguments(call, 3, 3)
    name = _text(evaluator, call, condition)
    if name is None:
        raise _malformed(call)
    if name not in evaluator.template.conditions:
        raise EvaluationError(f"Template error: unresolved condition dependency {name} in Fn::If", call.path)
    return evaluator.value(yes if evaluator.condition(name, call.path) else no)


def _equals(evaluator: Evaluation, call: Call) -> bool:
    left, right = (evaluator.value(each) for each in _arguments(call, 2, 2))
    texts = as_text(left), as_text(right)
    return bool(texts[0] == texts[1] if None not in texts else left == right)


def _and(evaluator: Evaluation, call: Call) -> bool:
    values = [evaluator.truth(each) for each in _arguments(call, 2, 10)]  # all of them: an error in any is an error
    return all(values)


def _or(evaluator: Evaluation, call: Call) -> bool:
    values = [evaluator.truth(each) for each in _arguments(call, 2, 10)]
    return any(values)


def _not(evaluator: Evaluation, call: Call) -> bool:
    return not evaluator.truth(_arguments(call, 1, 1)[0])


def _condition(evaluator: Evaluation, call: Call) -> bool:
    name = literal(call.argument)
    if name is None:
        raise _malformed(call)
    return evaluator.condition(name, call.path)


def _base64(evaluator: Evaluation, call: Call) -> Value:
    text = _text(evaluator, call, call.argument)
    return UNKNOWN if text is None else base64.b64encode(text.encode()).decode("ascii")


def _cidr(evaluator: Evaluation, call: Call) -> Value:
    texts = [_text(evaluator, call, each) for each in _arguments(call, 2, 3)]
    if None in texts:
        return UNKNOWN
    block, count, *bits = (each or "" for each in texts)
    try:
        network = ipaddress.ip_network(block)
        width = int(bits[0]) if bits else (8 if network.version == 4 else 64)
        subnets = network.subnets(new_prefix=_BITS[network.version] - width)
        return [str(subnet) for subnet, _ in zip(subnets, range(_count(count)), strict=False)]
    except ValueError as error:
        raise EvaluationError(f"Template error: Fn::Cidr can't divide {block}: {error}", call.path) from None


def _count(text: str) -> int:
    count = int(text)
    if not 1 <= count <= 256:
        msg = "the count must be from 1 to 256"
        raise ValueError(msg)
    return count


def _zones(evaluator: Evaluation, call: Call) -> Value:
    region = _text(evaluator, call, call.argument)
    if region == "":
        value = evaluator.reference("AWS::Region", call.path)
        region = value if isinstance(value, str) else None
    return UNKNOWN if region is None else list(evaluator.environment.zones(region))


def _import_value(evaluator: Evaluation, call: Call) -> Value:
    name = _text(evaluator, call, call.argument)
    if name is None:
        return UNKNOWN
    try:
        return evaluator.environment.stacks.export(name)
    except KeyError:
        raise EvaluationError(f"No export named {name} found.", call.path) from None


def _stack_output(evaluator: Evaluation, call: Call) -> Value:
    """Source: CloudFormation template reference, "Fn::GetStackOutput"."""
    assert isinstance(call.argument, Members)
    texts = {name: _text(evaluator, call, each) for name, each in call.argument.members.items()}
    if None in texts.values():
        return UNKNOWN
    wanted = StackOutput(str(texts["StackName"]), str(texts["OutputName"]), texts.get("Region"), texts.get("RoleArn"))
    try:
        return evaluator.environment.stacks.output(wanted)
    except LookupError as error:
        raise EvaluationError(str(error.args[0]), call.path) from None


def _length(evaluator: Evaluation, call: Call) -> Value:
    items = evaluator.value(call.argument)
    if items is UNKNOWN:
        return UNKNOWN
    if not isinstance(items, list):
        raise EvaluationError("Template error: Fn::Length needs a list", call.path)
    return len(items)


def _to_json(evaluator: Evaluation, call: Call) -> Value:
    value = evaluator.value(call.argument)
    return UNKNOWN if has_unknown(value) else json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def _contains(evaluator: Evaluation, call: Call) -> bool:
    items, item = (evaluator.value(each) for each in _arguments(call, 2, 2))
    return as_text(item) in [as_text(each) for each in _as_list(items)]


def _each_equals(evaluator: Evaluation, call: Call) -> bool:
    items, item = (evaluator.value(each) for each in _arguments(call, 2, 2))
    return all(as_text(each) == as_text(item) for each in _as_list(items))


def _each_in(evaluator: Evaluation, call: Call) -> bool:
    items, allowed = (evaluator.value(each) for each in _arguments(call, 2, 2))
    texts = {as_text(each) for each in _as_list(allowed)}
    return all(as_text(each) in texts for each in _as_list(items))


def _ref_all(evaluator: Evaluation, call: Call) -> Value:
    kind = literal(call.argument)
    declared = evaluator.template.parameters.values()
    values = [
        evaluator.environment.parameters.get(each.name) for each in declared if each.type in {kind, f"List<{kind}>"}
    ]
    return [item for each in values if each is not None for item in _as_list(each)]


def _value_of(evaluator: Evaluation, call: Call) -> Value:
    del evaluator  # attributes of existing AWS resources are not available here
    raise EvaluationError(
        f"Template error: {call.function} reads attributes of existing AWS resources, which are not here", call.path
    )


def _as_list(value: Value) -> list[Value]:
    return value if isinstance(value, list) else [value]


def _transform(evaluator: Evaluation, call: Call) -> Value:
    del evaluator
    raise EvaluationError("Template error: a transform was left unexpanded", call.path)


FUNCTIONS: Mapping[str, Callable[[Evaluation, Call], Value]] = {
    "Condition": _condition,
    "Fn::And": _and,
    "Fn::Base64": _base64,
    "Fn::Cidr": _cidr,
    "Fn::Contains": _contains,
    "Fn::EachMemberEquals": _each_equals,
    "Fn::EachMemberIn": _each_in,
    "Fn::Equals": _equals,
    "Fn::FindInMap": _find_in_map,
    "Fn::GetAZs": _zones,
    "Fn::GetAtt": _get_att,
    "Fn::If": _if,
    "Fn::GetStackOutput": _stack_output,
    "Fn::ImportValue": _import_value,
    "Fn::Join": _join,
    "Fn::Length": _length,
    "Fn::Not": _not,
    "Fn::Or": _or,
    "Fn::RefAll": _ref_all,
    "Fn::Select": _select,
    "Fn::Split": _split,
    "Fn::Sub": _sub,
    "Fn::ToJsonString": _to_json,
    "Fn::Transform": _transform,
    "Fn::ValueOf": _value_of,
    "Fn::ValueOfAll": _value_of,
    "Ref": _ref,
}
