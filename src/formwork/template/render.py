"""Templates to text: JSON, or YAML with CloudFormation's short tags."""

import json
import re
from typing import Any

from formwork.template.expressions import (
    Call,
    Expression,
    Items,
    Members,
    ScalarExpression,
    build_expression,
    literal,
    to_value,
)

# What may stand without quotes and is a string to every YAML reader; the rest is quoted.
_PLAIN = re.compile(r"[A-Za-z/][\w./-]*(?:(?: |::?)[\w./-]+)*", re.ASCII)
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})
_NO_TAG = frozenset(
    {
        "Fn::Contains",
        "Fn::EachMemberEquals",
        "Fn::EachMemberIn",
        "Fn::RefAll",
        "Fn::ValueOf",
        "Fn::ValueOfAll",
        # `!Transform` is read, but AWS's own tools write the long form
        "Fn::Transform",
    }
)


def render_json(value: Any) -> str:
    """Return a template's value as JSON text, indented by two."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def render_yaml(value: Any) -> str:
    """Return a template's value as YAML text; reading it again gives an equal value."""
    import yaml  # noqa: PLC0415 - costs 26 ms, only for YAML

    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    node = _Nodes().node(build_expression(value))
    text: str = yaml.serialize(node, Dumper=dumper, width=120, allow_unicode=True)
    return text


class _Nodes:
    """Expressions to YAML nodes."""

    def __init__(self) -> None:
        import yaml  # noqa: PLC0415 - the same

        self._yaml: Any = yaml
        self._representer = yaml.representer.SafeRepresenter()

    def node(self, expression: Expression) -> Any:
        match expression:
            case ScalarExpression():
                return self._scalar(expression.value)
            case Items():
                items = [self.node(each) for each in expression.items]
                return self._yaml.SequenceNode("tag:yaml.org,2002:seq", items, flow_style=not items or None)
            case Members():
                return self._map({key: self.node(each) for key, each in expression.members.items()})
            case Call():
                return self._call(expression)

    def _scalar(self, value: Any) -> Any:
        if not isinstance(value, str):
            return self._representer.represent_data(value)
        style = None if _PLAIN.fullmatch(value) and value.lower() not in _WORDS else "'"
        if "\n" in value:
            style = '"' if "\t" in value else "|"
        return self._yaml.ScalarNode("tag:yaml.org,2002:str", value, style=style)

    def _map(self, members: dict[str, Any]) -> Any:
        pairs = [(self._scalar(key), each) for key, each in members.items()]
        return self._yaml.MappingNode("tag:yaml.org,2002:map", pairs, flow_style=not pairs or None)

    def _call(self, call: Call) -> Any:
        name, argument = call.function, call.argument
        inner = self.node(argument)
        # A tag cannot stand before another tag, a null, or something that is not text as it is written.
        if (
            name in _NO_TAG
            or isinstance(argument, Call)
            or (isinstance(argument, ScalarExpression) and not _plain(argument))
        ):
            return self._map({name: inner})
        tag = "!" + name.removeprefix("Fn::")
        if name == "Fn::GetAtt":
            short = _short_attribute(argument)
            if short is None:
                return self._map({name: inner}) if isinstance(argument, ScalarExpression) else self._tagged(inner, tag)
            return self._yaml.ScalarNode(tag, short)
        return self._tagged(inner, tag)

    def _tagged(self, node: Any, tag: str) -> Any:
        node.tag = tag
        if isinstance(node, self._yaml.SequenceNode) and all(
            isinstance(each, self._yaml.ScalarNode) for each in node.value
        ):
            node.flow_style = True
        return node


def _plain(scalar: ScalarExpression) -> bool:
    return isinstance(scalar.value, str)


def _short_attribute(argument: Expression) -> str | None:
    """`Name.Attribute` where reading that back gives the same list."""
    if not isinstance(argument, Items) or len(argument.items) != 2:
        return None
    name, attribute = (literal(each) if isinstance(each, ScalarExpression) else None for each in argument.items)
    if not name or not attribute or "." in name or not all(isinstance(to_value(e), str) for e in argument.items):
        return None
    return f"{name}.{attribute}"
