"""A $ref into another document cannot be followed.

Finds: a `$ref` to a file that does not exist, to a host that is not allowed or a document that is not in the cache, and
one that leads nowhere in the document that it names. References are followed through all documents: where the `$ref` of
another document cannot be followed, the one of this schema that leads there is reported. Where no other document can be
looked at it says so, as an info.

Why: CloudFormation embeds the documents that a schema refers to when it is registered, and fails if it cannot.

Example: `{"$ref": "aws-ec2-vcp.json#/properties/Id"}`

Fix: correct the name, put the document beside the schema, or allow its host: `cfn validate --allow-host NAME`. What is
fetched is kept for a day, and used by every command; `--offline` fetches nothing and takes what was kept.

Source: resource schema document, Relationships.
"""

from collections.abc import Iterator

from formwork.diagnostics import Severity, get_at
from formwork.schema.checking import Checked, Problem

CODE = "schema.external-ref"
SEVERITY = Severity.ERROR


def check(checked: Checked) -> Iterator[Problem]:
    if checked.references is None:
        yield from _not_looked_at(checked)
        return
    for fault in checked.reference_faults():
        if not fault.circular:
            uri = str(get_at(checked.value, (*fault.at, "$ref"))).partition("#")[0]
            hint = fault.hint or _meant_here(checked, uri) or "correct the name"
            yield Problem((*fault.at, "$ref"), fault.message, fault.expected, hint)


def _not_looked_at(checked: Checked) -> Iterator[Problem]:
    if not checked.has_external_refs():
        return
    from formwork.schema.references import list_external  # noqa: PLC0415 - few schemas refer to others

    for path, uri, _ in list_external(checked.value):
        words = f'"{uri}" is not looked at here'
        yield Problem((*path, "$ref"), words, "a reference into this document", severity=Severity.INFO)


def _meant_here(checked: Checked, uri: str) -> str | None:
    """Return the reference into this document that one without its # was meant to be."""
    tokens = tuple(uri.removeprefix("/").split("/"))
    known = tokens[0] in ("definitions", "properties") and get_at(checked.value, tokens) is not None
    return f'write "#/{"/".join(tokens)}"' if known else None
