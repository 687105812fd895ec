"""Something hidden is needed by something public.

Finds: a property in `nonPublicProperties` that is required or part of an identifier, and a definition in
`nonPublicDefinitions` that a public property refers to.

Why: users must provide, or see, what they are not shown.

Example: `"nonPublicProperties": ["/properties/Token"], "required": ["Token"]`

Fix: make it public, or take it out of the other list.

Source: user guide, nonPublicProperties and nonPublicDefinitions.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity
from formwork.extensions import ExtensionKind
from formwork.schema.checking import Checked, Problem

CODE = "schema.non-public-leak"
SEVERITY = Severity.WARNING
KINDS = (ExtensionKind.RESOURCE,)


def check(checked: Checked) -> Iterator[Problem]:
    hidden = checked.pointers("nonPublicProperties")
    required = checked.value.get("required")
    public = {
        path: "part of an identifier"
        for each in ("primaryIdentifier", "additionalIdentifiers")
        for path in checked.paths(each)
    }
    public |= {(name,): "required" for name in required if isinstance(name, str)} if isinstance(required, list) else {}
    for pointer in hidden:
        if pointer.path in public:
            message = f'"{pointer.text}" is hidden and {public[pointer.path]}'
            yield Problem(pointer.at, message, "an optional property outside the identifiers", "make it public")
    yield from _definitions(checked, {path[0] for path in checked.paths("nonPublicProperties") if len(path) == 1})


def _definitions(checked: Checked, hidden: set[str]) -> Iterator[Problem]:
    entries = checked.value.get("nonPublicDefinitions")
    for index, text in enumerate(entries if isinstance(entries, list) else ()):
        name = str(text).removeprefix("/definitions/")
        for node in checked.nodes:
            if (
                node.value.get("$ref") == f"#/definitions/{name}"
                and node.path[0] == "properties"
                and node.path[1] not in hidden
            ):
                message = f'the hidden definition "{name}" is used by the public property "{node.path[1]}"'
                yield Problem(("nonPublicDefinitions", index), message, "hidden users only", "hide the property too")
                break
