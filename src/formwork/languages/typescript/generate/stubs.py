"""`handlers.ts` of a new project: a stub for each handler that the schema names, with what the contract asks of it."""

from formwork.extensions import ExtensionKind
from formwork.languages.typescript.generate.text import literal, member
from formwork.model import TypeModel

_RESOURCE_HEAD = """\
/** The handlers: what each has to do is in its comment; `cfn test` proves that it does. */
import {{ Action, Resource, exceptions }} from './formwork/index.js';
import {{ ResourceModel, TypeConfigurationModel }} from './models.js';
import type {{ Call }} from './models.js';

const TYPE_NAME = {type_name};

const resource = new Resource(TYPE_NAME, ResourceModel, TypeConfigurationModel);
export const {{ entrypoint, testEntrypoint }} = resource;
"""

_HOOK_HEAD = """\
/** The handlers: what each has to do is in its comment; `cfn test` proves that it does. */
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
Not done yet? Answer with what is set so far, the identifier ({identifier}) above all:
    return ProgressEvent.inProgress(model, {{ callbackContext: {{ started: true }}, callbackDelaySeconds: 5 }});
and go on where callbackContext says when you are called again."""

# Handler → the constant's name (`delete` is a keyword), what it is for, and what the contract asks of it.
_RESOURCE = {
    "create": (
        "create",
        "Create the resource that is desired.",
        (
            "Exists already? throw new exceptions.AlreadyExists(TYPE_NAME, {value})\n"
            "The same request.clientRequestToken again must not create a second one.\n"
            f"{_PROGRESS}\n"
            "Done: all that was requested is applied. {read}"
        ),
    ),
    "read": (
        "read",
        "Answer with every property that has a value, write-only ones aside.",
        ("Not there? throw new exceptions.NotFound(TYPE_NAME, {value})\nreturn ProgressEvent.success(model);"),
    ),
    "update": (
        "update",
        "Make the resource what is desired; lists are replaced, never merged.",
        (
            "Not there? throw new exceptions.NotFound(TYPE_NAME, {value})\n"
            "request.previousResourceState says what it was before; create-only properties never differ.\n"
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
            "Gone: the answer has no model.\n"
            "return ProgressEvent.success();"
        ),
    ),
    "list": (
        "list",
        "Answer with the identifiers of all resources of this type, page by page.",
        (
            "request.nextToken is the token of the page before, undefined at first.\n"
            "return ProgressEvent.list([{keywords}], nextToken); an empty list where there is nothing"
        ),
    ),
}

_HOOK = {
    "preCreate": ("CREATE_PRE_PROVISION", "Judge a target before it is created."),
    "preUpdate": ("UPDATE_PRE_PROVISION", "Judge a target before it is updated."),
    "preDelete": ("DELETE_PRE_PROVISION", "Judge a target before it is deleted."),
}


def render_stubs(types: TypeModel) -> str:
    """`handlers.ts` with a stub for each handler that the schema names."""
    hook = types.kind is ExtensionKind.HOOK
    head = (_HOOK_HEAD if hook else _RESOURCE_HEAD).format(type_name=literal(types.type_name))
    if not handler_names(types):  # the imports of a stub alone
        head = head.replace("Action, ", "").replace(", HookInvocationPoint", "").replace(", exceptions", "")
        head = head.replace("import type { Call } from './models.js';\n", "")
    stub = _hook_stub if hook else _resource_stub
    return head + "".join(stub(each, types) for each in handler_names(types))


def handler_names(types: TypeModel) -> list[str]:
    """The handlers of the schema that have a stub: one for another handler would never be called."""
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
        "read": "return read(call);" if "read" in types.handlers else "Answer with all of it.",
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

// To replace, once the handlers are written, by what each should do.
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
    """`handlers.test.ts` with a test for each stub."""
    hook = types.kind is ExtensionKind.HOOK
    names = [_HOOK[each][0] if hook else each.upper() for each in handler_names(types)]
    return _TEST.format(
        variable="actionInvocationPoint" if hook else "action",
        values=", ".join(f"'{each}'" for each in names),
        request=_HOOK_REQUEST if hook else _RESOURCE_REQUEST,
    )
