"""Translates `{{…}}` in canary inputs to CloudFormation: pseudo parameters, imports, and generated ids."""

import re
import uuid
from typing import Any

_TOKEN = re.compile(r"\{\{\s*([-A-Za-z0-9:\s]+?)\s*\}\}")
_PSEUDO = {"region": "AWS::Region", "partition": "AWS::Partition", "account": "AWS::AccountId"}
# Ids are equal in all runs over the same inputs, so that generating twice changes nothing.
_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "formwork:canary")


def fill_tokens(value: Any, place: str) -> Any:
    """`value` with every token in its strings replaced; other values stay what they are.

    Args:
        value: any JSON value.
        place: an identifier of this value, from which ids are generated.
    """
    if isinstance(value, dict):
        return {key: fill_tokens(each, f"{place}/{key}") for key, each in value.items()}
    if isinstance(value, list):
        return [fill_tokens(each, f"{place}/{index}") for index, each in enumerate(value)]
    return _fill_text(value, place) if isinstance(value, str) else value


def _fill_text(text: str, place: str) -> Any:
    if _TOKEN.search(text) is None:
        return text
    alone = _TOKEN.fullmatch(text)
    if alone is not None and _is_import(alone[1]):
        return {"Fn::ImportValue": alone[1]}
    imports: dict[str, Any] = {}
    filled: list[str] = []
    end = 0
    for found in _TOKEN.finditer(text):
        filled += [_literal(text[end : found.start()]), _reference(found[1], imports, f"{place}@{found.start()}")]
        end = found.end()
    whole = "".join([*filled, _literal(text[end:])])
    if imports:
        return {"Fn::Sub": [whole, imports]}
    return {"Fn::Sub": whole} if "${AWS::" in whole else whole.replace("${!", "${")


def _is_import(name: str) -> bool:
    return name not in _PSEUDO and "uuid" not in name


def _reference(name: str, imports: dict[str, Any], place: str) -> str:
    """Return the text that replaces a token inside Fn::Sub."""
    if name in _PSEUDO:
        return f"${{{_PSEUDO[name]}}}"
    if "uuid" in name:
        return str(uuid.uuid5(_NAMESPACE, place))
    variable = f"Import{len(imports) + 1}"
    imports[variable] = {"Fn::ImportValue": name}
    return f"${{{variable}}}"


def _literal(text: str) -> str:
    """Text inside Fn::Sub: a `${` of its own means nothing there."""
    return text.replace("${", "${!")
