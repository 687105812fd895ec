"""A $ref into another document cannot be followed.

Finds: a `$ref` to a file that does not exist, to a host that is not allowed or a document that is not in the cache, and
one that leads nowhere in the document that it names. Where no other document can be looked at it says so, as an info.

Why: CloudFormation embeds the documents that a schema refers to when it is registered, and fails if it cannot.

Example: `{"$ref": "aws-ec2-vcp.json#/properties/Id"}`

Mend: correct the name, put the document beside the schema, or allow its host: `cfn validate --allow-host NAME`. What is
fetched is kept for a day, and used by every command; `--offline` fetches nothing and takes what was kept.

Source: resource schema document, Relationships.
"""

from collections.abc import Iterator

from formwork.diagnostics import PointerError, Severity, expect_at, get_at
from formwork.documents.refs import ReferenceError_
from formwork.schema.checking import Checked, Problem
from formwork.schema.metaschemas import Kind

CODE = "schema.external-ref"
SEVERITY = Severity.ERROR
KINDS = (Kind.RESOURCE, Kind.HOOK)


def check(checked: Checked) -> Iterator[Problem]:
    """See `SchemaRule`."""
    if not any(_is_external(str(node["$ref"])) for _, node in checked.nodes if "$ref" in node):
        return
    from formwork.schema.references import list_external  # noqa: PLC0415 - few schemas refer to others

    for path, uri, tokens in list_external(checked.value):
        at = (*path, "$ref")
        if checked.references is None:
            words = f'"{uri}" is not looked at here'
            yield Problem(at, words, "a reference into this document", severity=Severity.INFO)
            continue
        try:
            expect_at(checked.references.load(uri).value, tokens)
        except ReferenceError_ as error:
            hint = getattr(error, "hint", None) or _meant_here(checked, uri) or "correct the name"
            yield Problem(at, str(error), "a document that can be read", hint)
        except PointerError:
            yield Problem(at, f'the reference leads nowhere in "{uri}"', "a definition or property that exists")


def _meant_here(checked: Checked, uri: str) -> str | None:
    """The reference into this document that one without its # was meant to be."""
    tokens = tuple(uri.removeprefix("/").split("/"))
    known = tokens[0] in ("definitions", "properties") and get_at(checked.value, tokens) is not None
    return f'write "#/{"/".join(tokens)}"' if known else None


def _is_external(ref: str) -> bool:
    return not ref.startswith(("#", "resource-schema.json#"))
