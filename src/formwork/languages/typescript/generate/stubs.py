"""`handlers.ts` of a new project: a stub for each handler of the schema, with the contract's requirements."""

from formwork.extensions import ExtensionKind
from formwork.languages.typescript.generate.text import literal, member
from formwork.model import TypeModel

_RESOURCE_HEAD = """\
/** The handlers: their comments have the contract's requirements, which `cfn test` checks. */
import {{ Action, Resource, exceptions }} from './formwork/index.js';
import {{ ResourceModel, TypeConfigurationModel }} from './models.js';
import type {{ Call }} from './models.js';

const TYPE_NAME = {type_name};

const resource = new Resource(TYPE_NAME, ResourceModel, TypeConfigurationModel);
export const {{ entrypoint, testEntrypoint }} = resource;
"""

_HOOK_HEAD = """\
/** The handlers: their comments have the contract's requirements, which `cfn test` checks. */
import {{ Hook, HookInvocationPoint, exceptions }} from './formwork/index.js';
import {{ TypeConfigurationModel }} from './models.js';
import type {{ Call }} from './models.js';

const TYPE_NAME = {type_name};

const hook = new Hook(TYPE_NAME, TypeConfigurationModel);
export const {{ entrypoint, testEntrypoint }} = hook;
"""

_RESOURCE_STUB = """
/** {summary} */
export const {name} = resource.handler(Action.{action}, async ({{ request, session, callbackContext }}: Call) => {{
{steps}
  void [request, session, callbackContext];
  throw new exceptions.InternalFailure('the {handler} handler is not written yet');
}});
"""

_HOOK_STUB = """
/** {summary} */
export const {name} = hook.handler(HookInvocationPoint.{point}, async ({{ request, typeConfiguration }}: Call) => {{
  // Look at request.hookContext.targetName and .targetModel['resourceProperties']{previous}, then
  //     return {{ status: 'SUCCESS' }};
  // or  return ProgressEvent.failed('NonCompliant', 'what is wrong with the target');
  void [request, typeConfiguration];
  throw new exceptions.InternalFailure('the {name} handler is not written yet');
}});
"""

_PROGRESS = """\
Not done yet? Return the properties that are set so far, above all the identifier ({identifier}):
    return ProgressEvent.inProgress(model, {{ callbackContext: {{ started: true }}, callbackDelaySeconds: 5 }});
and continue from callbackContext when you are called again."""

# Handler → the constant's name (`delete` is a keyword), the purpose, and the contract's requirements.
_RESOURCE = {
    "create": (
        "create",
        "Create the desired resource.",
        (
            "Exists already? throw new exceptions.AlreadyExists(TYPE_NAME, {value})\n"
            "The same request.clientRequestToken again must not create a second one.\n"
            f"{_PROGRESS}\n"
            "Done: all that was requested is applied. {read}"
        ),
    ),
    "read": (
        "read",
        "Return all properties that have a value, except write-only ones.",
        ("Not there? throw new exceptions.NotFound(TYPE_NAME, {value})\nreturn ProgressEvent.success(model);"),
    ),
    "update": (
        "update",
        "Update the resource to the desired state; lists are replaced, never merged.",
        (
            "Not there? throw new exceptions.NotFound(TYPE_NAME, {value})\n"
            "request.previousResourceState is the state before; create-only properties never differ.\n"
            f"{_PROGRESS}\n"
            "Done: all that was requested is applied. {read}"
        ),
    ),
    "delete": (
        "remove",
        "Delete the resource.",
        (
            "Not there? throw new exceptions.NotFound(TYPE_NAME, {value})\n"
            f"{_PROGRESS}\n"
            "Deleted: the answer has no model.\n"
            "return ProgressEvent.success();"
        ),
    ),
    "list": (
        "list",
        "Return the identifiers of all resources of this type, page by page.",
        (
            "request.nextToken is the token of the previous page, undefined at first.\n"
            "return ProgressEvent.list([{keywords}], nextToken); an empty list if there are none"
        ),
    ),
}

_HOOK = {
    "preCreate": ("CREATE_PRE_PROVISION", "Check a target before it is created."),
    "preUpdate": ("UPDATE_PRE_PROVISION", "Check a target before it is updated."),
    "preDelete": ("DELETE_PRE_PROVISION", "Check a target before it is deleted."),
}


def render_stubs(types: TypeModel) -> str:
    """Return the text of `handlers.ts` with a stub for each handler of the schema."""
    hook = types.kind is ExtensionKind.HOOK
    head = (_HOOK_HEAD if hook else _RESOURCE_HEAD).format(type_name=literal(types.type_name))
    if not handler_names(types):  # imports that only stubs need
        head = head.replace("Action, ", "").replace(", HookInvocationPoint", "").replace(", exceptions", "")
        head = head.replace("import type { Call } from './models.js';\n", "")
    stub = _hook_stub if hook else _resource_stub
    return head + "".join(stub(each, types) for each in handler_names(types))


def handler_names(types: TypeModel) -> list[str]:
    """Return the handlers of the schema that get a stub; handlers that are not in the schema are never called."""
    known = _HOOK if types.kind is ExtensionKind.HOOK else _RESOURCE
    return [each for each in known if each in types.handlers]


def _hook_stub(handler: str, types: TypeModel) -> str:
    del types
    point, summary = _HOOK[handler]
    previous = "\n  // and ['previousResourceProperties']" if handler == "preUpdate" else ""
    return _HOOK_STUB.format(name=handler, point=point, summary=summary, previous=previous)


def _resource_stub(handler: str, types: TypeModel) -> str:
    name, summary, notes = _RESOURCE[handler]
    paths = [".".join(each) for each in types.primary_identifier] or ["the primary identifier"]
    first = types.primary_identifier[0] if types.primary_identifier else ()
    words = {
        "identifier": ", ".join(paths),
        "value": f"model.{first[0]}" if len(first) == 1 and member(first[0]) == first[0] else "'...'",
        "keywords": "{{ {} }}".format(
            ", ".join(f"{member(each[0])}: ..." for each in types.primary_identifier if each)
        ),
        "read": "return read(call);" if "read" in types.handlers else "Return all properties.",
    }
    lines = [f"  // {each}".rstrip() for each in notes.format(**words).splitlines()]
    first_step = [] if handler == "list" else ["  // const model = request.desiredResourceState;"]
    steps = "\n".join([*first_step, *lines])
    return _RESOURCE_STUB.format(action=handler.upper(), name=name, handler=handler, summary=summary, steps=steps)


_TEST = """\
/** Each handler on its own, without CloudFormation: run `npm test`. */
import assert from 'node:assert/strict';
import {{ test }} from 'node:test';

import {{ entrypoint }} from '../src/handlers.js';

// Replace this when the handlers are written by tests of what they do.
for (const {variable} of [{values}]) {{
  test(`${{{variable}}} is not written yet`, async () => {{
    const answer = await entrypoint({{
{request}
    }});
    assert.match((answer as {{ message: string }}).message, /not written yet/);
  }});
}}
"""

_RESOURCE_REQUEST = """\
      action,
      awsAccountId: '123456789012',
      region: 'us-east-1',
      bearerToken: 'token',
      requestData: { resourceProperties: {} },"""

_HOOK_REQUEST = """\
      actionInvocationPoint,
      awsAccountId: '123456789012',
      clientRequestToken: 'token',
      requestData: { targetName: 'AWS::S3::Bucket', targetModel: { resourceProperties: {} } },"""


def render_stub_tests(types: TypeModel) -> str:
    """Return the text of `handlers.test.ts` with a test for each stub."""
    hook = types.kind is ExtensionKind.HOOK
    names = [_HOOK[each][0] if hook else each.upper() for each in handler_names(types)]
    return _TEST.format(
        variable="actionInvocationPoint" if hook else "action",
        values=", ".join(f"'{each}'" for each in names),
        request=_HOOK_REQUEST if hook else _RESOURCE_REQUEST,
    )
