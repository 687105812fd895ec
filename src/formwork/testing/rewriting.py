"""Templates with something added for a scenario: a resource that fails, an output, policies that keep resources."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.diagnostics import UsageError
from formwork.testing.handlers import HandlerFailure
from formwork.testing.templates import TemplateSource

FAILURE = "FormworkFailure"
_FAILING_TYPE = "Formwork::Testing::Failure"
_MARK = "FormworkMark"
_SUB = re.compile(r"\$\{([A-Za-z0-9]+)[.}]")


class Failing:
    """A type whose resources can't be created."""

    schema = {  # noqa: RUF012 - never changed
        "typeName": _FAILING_TYPE,
        "properties": {"Name": {"type": "string"}},
        "readOnlyProperties": ["/properties/Name"],
        "primaryIdentifier": ["/properties/Name"],
    }

    def create(self, _model: Mapping[str, Any]) -> None:
        """Fail; see `formwork.testing.handlers`."""
        raise HandlerFailure("InvalidRequest", "the test makes the deployment fail here")

    def read(self, _model: Mapping[str, Any]) -> None:
        """Find nothing; see `formwork.testing.handlers`."""
        raise HandlerFailure("NotFound")

    delete = read


def changed(source: TemplateSource, value: Mapping[str, Any]) -> TemplateSource:
    """Return a template with another value."""
    return replace(source, text=json.dumps(value), value=value)


def with_failure(source: TemplateSource, after: int | str | Sequence[str] | None) -> TemplateSource:
    """Return a template whose deployment fails after some of its resources, and with None after all of them.

    Raises:
        UsageError: `after` names a resource that the template does not have.
    """
    resources = source.value["Resources"]
    if after is None:
        names = list(resources)
    elif isinstance(after, int):
        names = _in_order(resources)[:after]
    else:
        names = [after] if isinstance(after, str) else list(after)
    for name in names:
        if name not in resources:
            raise UsageError(f'the template has no resource "{name}"', hint=f"one of {', '.join(resources)}")
    failing = {"Type": _FAILING_TYPE, **({"DependsOn": names} if names else {})}
    return changed(source, {**source.value, "Resources": {**resources, FAILURE: failing}})


def with_mark(source: TemplateSource) -> TemplateSource:
    """Return a template with one more output: an update to it changes no resource."""
    outputs = {**source.value.get("Outputs", {}), _MARK: {"Value": "updated"}}
    return changed(source, {**source.value, "Outputs": outputs})


def keeping(source: TemplateSource, value: Mapping[str, Any], *, outputs: bool) -> TemplateSource:
    """Return a template whose resources stay when its stack is deleted."""
    kept = {
        name: {**each, "DeletionPolicy": "Retain", "UpdateReplacePolicy": "Retain"}
        for name, each in value["Resources"].items()
    }
    more = {name: each for name, each in value.items() if outputs or name != "Outputs"}
    return changed(source, {**more, "Resources": kept})


def _in_order(resources: Mapping[str, Any]) -> list[str]:
    """Return the resources, each after those that it refers to."""
    ordered: list[str] = []

    def add(name: str, path: tuple[str, ...]) -> None:
        if name in ordered or name in path:
            return
        for needed in sorted(set(_references(resources[name])) & set(resources)):
            add(needed, (*path, name))
        ordered.append(name)

    for name in resources:
        add(name, ())
    return ordered


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield from _SUB.findall(value)
    elif isinstance(value, list):
        for each in value:
            yield from _references(each)
    elif isinstance(value, Mapping):
        for name, each in value.items():
            if name in ("Ref", "DependsOn", "Fn::GetAtt"):
                named = [each] if isinstance(each, str) else each[:1] if name == "Fn::GetAtt" else each
                yield from (str(one).partition(".")[0] for one in named)
            else:
                yield from _references(each)
