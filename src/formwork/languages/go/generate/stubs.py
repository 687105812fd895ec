"""Stubs of handlers, with the contract's requirements as comments.

A stub returns FAILED with a code and a message, a valid answer that does not claim success or progress.
"""

from formwork.extensions import ExtensionKind
from formwork.languages.go.generate.library import FOLDER
from formwork.languages.go.generate.naming import field_names
from formwork.languages.go.generate.settings import handler_names, package_of
from formwork.languages.go.generate.text import aligned, comment_text, literal
from formwork.model import TypeModel

_HEAD = """// Package {package} has the handlers of {type_name}.
package {package}
{imports}"""

_STUB = """
// {function} {summary}
func {function}(_ context.Context, _ *Request) (*Event, error) {{
{steps}
	return nil, cfn.InternalFailure("the {function} handler is not written yet")
}}
"""

_PROGRESS = """\
Not done yet? Return the properties that are set so far, above all the identifier ({identifier}):
	return cfn.InProgress(model, cfn.CallbackContext{{"started": true}}, 5), nil
and continue from request.CallbackContext when you are called again; or use {library}/chain."""

# Handler → its purpose, and the contract's requirements.
_RESOURCE = {
    "create": (
        "creates the desired resource.",
        (
            "Exists already? return nil, cfn.AlreadyExists(TypeName, {value})\n"
            "The same request.ClientRequestToken again must not create a second one.\n"
            f"{_PROGRESS}\n"
            "Done: all that was requested is applied. {read}"
        ),
    ),
    "read": (
        "returns all properties that have a value, except write-only ones.",
        "Not there? return nil, cfn.NotFound(TypeName, {value})\nreturn cfn.Success(model), nil",
    ),
    "update": (
        "updates the resource to the desired state; lists are replaced, never merged.",
        (
            "Not there? return nil, cfn.NotFound(TypeName, {value})\n"
            "request.PreviousState is the state before; create-only properties never differ.\n"
            f"{_PROGRESS}\n"
            "Done: all that was requested is applied. {read}"
        ),
    ),
    "delete": (
        "deletes the resource.",
        (
            "Not there? return nil, cfn.NotFound(TypeName, {value})\n"
            f"{_PROGRESS}\n"
            "Deleted: the answer has no model.\n"
            "return cfn.Success[Model](nil), nil"
        ),
    ),
    "list": (
        "returns the identifiers of all resources of this type, page by page.",
        (
            'request.NextToken is the token of the previous page, "" at first.\n'
            "models := []Model{{{keywords}}}\n"
            "return cfn.SuccessList(models, nextToken), nil"
        ),
    ),
}
_HOOK = {
    "preCreate": "checks a target before it is created.",
    "preUpdate": "checks a target before it is updated.",
    "preDelete": "checks a target before it is deleted.",
}
_HOOK_NOTES = """\
Check request.TargetName and the target: the packages of internal/targets have a model of each,
	target, err := cfn.Target[aws_s3_bucket.AwsS3Bucket](request)
{previous}return &Event{{Status: cfn.StatusSuccess}}, nil
or	return nil, cfn.NonCompliant("what is wrong with the target")"""


def render_stubs(types: TypeModel, import_path: str) -> str:
    """Return the handlers' file with a stub for each handler of the schema."""
    names = handler_names(types)
    imports = f'\nimport (\n\t"context"\n\n\t"{import_path}/{FOLDER}"\n)\n' if names else ""
    head = _HEAD.format(package=package_of(types.kind), type_name=comment_text(types.type_name), imports=imports)
    return head + "".join(_stub(handler, function, types, import_path) for handler, function in names.items())


def _stub(handler: str, function: str, types: TypeModel, import_path: str) -> str:
    if types.kind is ExtensionKind.HOOK:
        summary = _HOOK[handler]
        previous = "cfn.PreviousTarget is what it was before; then\n" if handler == "preUpdate" else ""
        notes = _HOOK_NOTES.format(previous=previous)
    else:
        summary, notes = _RESOURCE[handler]
        notes = notes.format(**_words(types, import_path))
        if handler != "list":
            notes = f"model := request.DesiredState\n{notes}"
    steps = "\n".join(f"\t//{each}" if each.startswith("\t") else f"\t// {each}" for each in notes.splitlines())
    return _STUB.format(function=function, summary=summary, steps=steps)


def _words(types: TypeModel, import_path: str) -> dict[str, str]:
    fields = field_names(each.name for each in types.root.properties)
    paths = [".".join([fields.get(each[0], each[0]), *each[1:]]) for each in types.primary_identifier if each]
    keys = [fields[each[0]] for each in types.primary_identifier if len(each) == 1 and each[0] in fields]
    return {
        "identifier": ", ".join(map(comment_text, paths)) or "the primary identifier",
        "value": f"cfn.Value(model.{comment_text(paths[0])})" if paths else '"..."',
        "keywords": ", ".join(f"{{{each}: ...}}" for each in keys[:1]),
        "read": "return Read(ctx, request)" if "read" in types.handlers else "Return all properties.",
        "library": f"{import_path}/{FOLDER}",
    }


_TEST = """package {package}

import (
	"context"
	"testing"
)

// Replace this when the handlers are written by tests of what they do.
func TestHandlersAreNotWrittenYet(t *testing.T) {{
	request := &Request{{{member}}}
	for name, handler := range map[string]func(context.Context, *Request) (*Event, error){{
{handlers}
	}} {{
		if event, err := handler(context.Background(), request); err == nil {{
			t.Errorf("%s answered %v", name, event)
		}}
	}}
}}
"""


def render_stub_tests(types: TypeModel) -> str:
    """Return a test of the stubs; a schema without handlers has an empty one."""
    names = list(handler_names(types).values())
    package = package_of(types.kind)
    if not names:
        return f"package {package}\n"
    rows = "\n".join(aligned([(f"{literal(each)}:", f"{each},") for each in names], "\t\t"))
    member = "" if types.kind is ExtensionKind.HOOK else "DesiredState: &Model{}"
    return _TEST.format(package=package, member=member, handlers=rows)
