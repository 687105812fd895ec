"""A pointer names no property.

Finds: an entry of `primaryIdentifier`, `additionalIdentifiers`, `readOnlyProperties` and the other lists, the
`tagProperty`, or a value of `resourceLink.mappings`, that leads to no property of this schema, or is not a JSON
pointer; an entry of `nonPublicDefinitions` that leads to no definition.

Why: the property it was meant for is not covered: an identifier that is never found, a secret that is returned. Types
in use have such entries, mostly left over from removed properties, and the service takes them: outside the primary
identifier it is a warning.

Example: `"readOnlyProperties": ["/properties/Arm"]`, `"primaryIdentifier": ["Id"]`

Fix: correct the pointer, or remove it.

Source: resource schema document, Application ("a JSON Pointer to a property definition in the same resource document
… can be checked with validate").
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import POINTER_LISTS, Checked, Pointer, Problem

CODE = "schema.pointer-not-found"
SEVERITY = Severity.ERROR
KINDS = (ExtensionKind.RESOURCE,)
_SHORT = "a pointer to a property, such as /properties/Name"


def check(checked: Checked) -> Iterator[Problem]:
    for keyword in (*POINTER_LISTS, "additionalIdentifiers"):
        for pointer in checked.pointers(keyword):
            if not pointer.found:
                weak = None if keyword == "primaryIdentifier" else Severity.WARNING
                yield _problem(checked, pointer, weak)
    yield from _definitions(checked)
    tagging = checked.value.get("tagging")
    if isinstance(tagging, dict) and "tagProperty" in tagging and tagging.get("taggable") is not False:
        pointer = checked.pointer(("tagging", "tagProperty"), tagging["tagProperty"])
        if not pointer.found:
            yield _problem(checked, pointer, Severity.WARNING)


def _definitions(checked: Checked) -> Iterator[Problem]:
    """Entries of the one list that points to definitions."""
    entries, known = checked.value.get("nonPublicDefinitions"), checked.value.get("definitions")
    for index, text in enumerate(entries if isinstance(entries, list) else ()):
        name = str(text).removeprefix("/definitions/")
        if name == text or name not in (known if isinstance(known, dict) else {}):
            words, expected = f'"{text}" names no definition', "a pointer to a definition, such as /definitions/Name"
            at = ("nonPublicDefinitions", index)
            yield Problem(at, words, expected, "correct it, or remove it", severity=Severity.WARNING)


def _problem(checked: Checked, pointer: Pointer, severity: Severity | None) -> Problem:
    if not pointer.text.startswith("/properties/"):
        message = f'"{pointer.text}" is not a pointer to a property'
        name = pointer.text.removeprefix("#").removeprefix("/").removeprefix("properties/")
        known = checked.view.at(tuple(name.split("/"))) is not None
        return Problem(pointer.at, message, _SHORT, f'write "/properties/{name}"' if known else None, severity=severity)
    return Problem(
        pointer.at, f'"{pointer.text}" names no property', _SHORT, _suggest(checked, pointer), severity=severity
    )


def _suggest(checked: Checked, pointer: Pointer) -> str | None:
    properties = checked.value.get("properties")
    if len(pointer.path) != 1 or not isinstance(properties, dict):
        return None
    from difflib import get_close_matches  # noqa: PLC0415 - only for a fault

    close = get_close_matches(pointer.path[0], list(properties), 1)
    return f'write "/properties/{close[0]}"' if close else "correct it, or remove it"
