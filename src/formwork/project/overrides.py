"""`overrides.json`: values to put into the inputs that the contract tests generate.

    resource   {"CREATE": {"/SubnetId": "subnet-1"}, "UPDATE": {…}}
    hook       {"CREATE_PRE_PROVISION": {"AWS::S3::Bucket": {"resourceProperties": {"/BucketName": "b"}}}}

The guide writes a top-level property with and without its "/"; both are read.
"""

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from msgspec import Struct

from formwork.diagnostics import Diagnostic, Location, PointerError, Severity, parse_pointer
from formwork.documents import Document
from formwork.extensions import ExtensionKind
from formwork.project.data_file import read_data_file
from formwork.project.project import Project

OVERRIDES_FILE = "overrides.json"
RESOURCE_ACTIONS = ("CREATE", "UPDATE")
HOOK_ACTIONS = (
    "CREATE_PRE_PROVISION",
    "UPDATE_PRE_PROVISION",
    "DELETE_PRE_PROVISION",
    "INVALID_CREATE_PRE_PROVISION",
    "INVALID_UPDATE_PRE_PROVISION",
    "INVALID_DELETE_PRE_PROVISION",
    "INVALID",
)
HOOK_PARTS = ("resourceProperties", "previousResourceProperties")
_RESOURCE_LEVELS = (RESOURCE_ACTIONS,)
_HOOK_LEVELS = (HOOK_ACTIONS, None, HOOK_PARTS)


class Override(Struct, frozen=True):
    """One value for one place of the model that `action` is tested with.

    `path` are pointer tokens from the model's root, `location` is where they are written. `target` (a type name) and
    `part` (`resourceProperties` or `previousResourceProperties`) are a hook's only.
    """

    action: str
    path: tuple[str, ...]
    value: Any
    location: Location
    target: str | None = None
    part: str | None = None


class Overrides(Struct, frozen=True):
    """All values of the file in its order, and what is wrong with it; no values where there is no file."""

    values: tuple[Override, ...]
    diagnostics: tuple[Diagnostic, ...]

    def for_action(
        self, action: str, *, target: str | None = None, part: str | None = None
    ) -> dict[tuple[str, ...], Any]:
        """Path → value for one action, with the incumbent's fallbacks where the action has no values of its own.

        UPDATE falls back to CREATE, INVALID_x to INVALID, and UPDATE_PRE_PROVISION to CREATE_PRE_PROVISION: what may be
        deleted is another question.
        """
        for each in (action, _fallback(action)):
            chosen = [one for one in self.values if (one.action, one.target, one.part) == (each, target, part)]
            if chosen:
                return {one.path: one.value for one in chosen}
        return {}


def load_overrides(project: Project, *, exports: Mapping[str, str] | None = None) -> Overrides:
    """Return the project's overrides; `exports` are the CloudFormation exports that `{{Name}}` stands for."""
    path = project.root / OVERRIDES_FILE
    if not path.is_file():
        return Overrides((), ())
    document, diagnostics = read_data_file(path, exports={} if exports is None else exports)
    if document is None:
        return Overrides((), tuple(diagnostics))
    levels = _RESOURCE_LEVELS if project.kind is ExtensionKind.RESOURCE else _HOOK_LEVELS
    rows = list(_rows(document, (), document.value, levels))
    values = tuple(each for each in rows if isinstance(each, Override))
    return Overrides(values, (*diagnostics, *(each for each in rows if isinstance(each, Diagnostic))))


def _fallback(action: str) -> str | None:
    if action == "UPDATE":
        return "CREATE"
    if action.startswith("INVALID_"):
        return "INVALID"
    return "CREATE_PRE_PROVISION" if action == "UPDATE_PRE_PROVISION" else None


def _rows(
    document: Document, tokens: tuple[str, ...], value: object, levels: tuple[tuple[str, ...] | None, ...]
) -> Iterator[Override | Diagnostic]:
    """Yield the overrides below `value`; `levels` gives the allowed keys of each level (None: any key)."""
    if not isinstance(value, dict):
        what = f'"{tokens[-1]}" in the overrides' if tokens else "the file"
        yield _problem(document, tokens, "overrides-not-an-object", f"{what} is not an object", expected="an object")
        return
    if not levels:
        yield from _values(document, tokens, value)
        return
    allowed, *deeper = levels
    for key, member in value.items():
        if allowed is not None and key not in allowed:
            message = f'"{key}" is not a valid key of the overrides'
            yield _problem(document, (*tokens, key), "overrides-unknown-key", message, expected=", ".join(allowed))
        else:
            yield from _rows(document, (*tokens, key), member, tuple(deeper))


def _values(document: Document, tokens: tuple[str, ...], members: Mapping[str, Any]) -> Iterator[Override | Diagnostic]:
    action, target, part = (*tokens, None, None)[:3]
    for text, value in members.items():
        pointer = unquote(text)
        try:
            path = parse_pointer(pointer if pointer.startswith("/") else f"/{pointer}")
        except PointerError as error:
            yield _problem(document, (*tokens, text), "overrides-pointer", str(error), expected='such as "/Tags/0/Key"')
            continue
        location = document.locate((*tokens, text), key=True)
        yield Override(action or "", path, value, location, target, part)


def _problem(document: Document, tokens: tuple[str, ...], slug: str, message: str, *, expected: str) -> Diagnostic:
    place = document.locate(tokens, key=bool(tokens))
    return Diagnostic(f"project.{slug}", Severity.WARNING, message, place, expected)
