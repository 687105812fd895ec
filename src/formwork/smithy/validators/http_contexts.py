"""HttpBindingTraitIgnored: an HTTP binding on a member of a structure that is used where the binding has no meaning."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from formwork.smithy.events import Event
from formwork.smithy.shapes import MemberShape, Shape, ShapeType
from formwork.smithy.validators.context import Validation, warning

_ID = "HttpBindingTraitIgnored"
# What each binding is read from; the others anywhere at the top of an operation's structures.
_INPUT = ("httpLabel", "httpQueryParams", "httpQuery")
_OUTPUT = ("httpResponseCode",)
_TOP_LEVEL = ("httpHeader", "httpPayload", "httpPrefixHeaders")
# How relations of a structure are called, in the order they are listed.
_CONTEXTS = {"": "member target", "input": "input", "output": "output", "error": "error", "mixin": "mixin"}


def ignored_bindings(validation: Validation) -> Iterator[Event]:
    """Report bindings that have no effect; members of mixins are checked where they are mixed in."""
    for names, kind, wanted in (
        (_INPUT, "Input", ("input",)),
        (_OUTPUT, "Output", ("output",)),
        (_TOP_LEVEL, "TopLevel", ("input", "output", "error")),
    ):
        for name in names:
            for member in validation.model.with_trait(name):
                container = validation.model.get(member.id.partition("$")[0])
                if isinstance(member, MemberShape) and _is_looked_at(container):
                    yield from _check(validation, member, name, kind, wanted)


def _is_looked_at(container: Shape | None) -> bool:
    return container is not None and container.type is ShapeType.STRUCTURE and not container.has_trait("mixin")


def _check(
    validation: Validation, member: MemberShape, name: str, kind: str, wanted: tuple[str, ...]
) -> Iterator[Event]:
    relations = [each for each in validation.neighbors.incoming(member.container) if each.name in _CONTEXTS]
    ignored: dict[str, set[str]] = defaultdict(set)
    for relation in relations:
        if relation.name not in wanted:
            ignored[relation.name].add(relation.source.id)
    if not ignored:
        return
    # The reference compares the number of uses with that of kinds of use.
    where = "all contexts." if len(relations) == len(ignored) else f"some contexts: {_listed(ignored)}"
    mixed_in = " mixed in" if member.mixins else ""
    message = f"The `{name}` trait applied to this{mixed_in} member is ignored in {where}"
    yield warning(f"{_ID}.{kind}", member, message, trait=f"smithy.api#{name}")


def _listed(ignored: Mapping[str, set[str]]) -> str:
    parts = [f"{text}: [{', '.join(sorted(ignored[name]))}]" for name, text in _CONTEXTS.items() if name in ignored]
    return "{" + ", ".join(parts) + "}"
