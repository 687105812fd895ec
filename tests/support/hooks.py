"""A hook over two types and a wildcard, handlers that keep the contract, and deliberate violations of it."""

import copy
import json
from collections.abc import Callable
from dataclasses import dataclass

from formwork.contract.hook_inputs import HookInputs
from formwork.contract.subject import HookSubject
from formwork.documents import DocumentFormat, parse_document
from formwork.invoke import Answer, HandlerSession
from formwork.invoke.answer import UNHANDLED
from formwork.project.inputs import InputKind
from formwork.schema.hook import build_hook_schema
from formwork.schema.resource import build_resource_schema
from support.contract_subjects import Clock, Transport

TARGETS = ["Acme::Store::Box", "Acme::Post::*"]
POINTS = ("CREATE_PRE_PROVISION", "UPDATE_PRE_PROVISION", "DELETE_PRE_PROVISION")


def parsed(value):
    return parse_document(json.dumps(value), name="value.json", format=DocumentFormat.JSON)


def hook_schema(targets=TARGETS, handlers=("preCreate", "preUpdate", "preDelete"), **configuration):
    handler = {"targetNames": list(targets), "permissions": []}
    return build_hook_schema(
        parsed(
            {
                "typeName": "Acme::Store::Guard",
                "description": "Boxes are locked.",
                "typeConfiguration": {"properties": configuration, "additionalProperties": False},
                "handlers": dict.fromkeys(handlers, handler),
                "additionalProperties": False,
            }
        )
    )


def target_schema(name):
    return build_resource_schema(
        parsed(
            {
                "typeName": name,
                "description": "A thing.",
                "properties": {
                    "Name": {"type": "string", "pattern": "^[a-z]{3,8}$"},
                    "Locked": {"type": "boolean"},
                    "Secret": {"type": "string", "minLength": 20, "maxLength": 30},
                },
                "required": ["Name"],
                "primaryIdentifier": ["/properties/Name"],
                "writeOnlyProperties": ["/properties/Secret"],
                "additionalProperties": False,
            }
        )
    )


KNOWN = {name: target_schema(name) for name in ("Acme::Store::Box", "Acme::Post::Letter", "Acme::Post::Parcel")}


def conforming(event, _context=None):
    """Locked things pass, and nothing whose name begins with keep is deleted."""
    data = event["requestData"]
    answer = {"hookStatus": "SUCCESS", "message": "fine", "callbackDelaySeconds": 0}
    answer["clientRequestToken"] = event["clientRequestToken"]
    if data["targetName"] not in KNOWN:
        return {**answer, "hookStatus": "FAILED", "errorCode": "UnsupportedTarget", "message": "no such target"}
    model = data["targetModel"]["resourceProperties"]
    kept = str(model.get("Name", "")).startswith("keep")
    bad = kept if event["actionInvocationPoint"] == POINTS[2] else model.get("Locked") != "true"
    if bad:
        return {**answer, "hookStatus": "FAILED", "errorCode": "NonCompliant", "message": "it is not locked"}
    return answer


def slow(event, _context=None):
    """The same, after one callback."""
    if not event["requestContext"]["callbackContext"]:
        context = {"asked": True}
        return {"hookStatus": "IN_PROGRESS", "message": "", "callbackContext": context, "callbackDelaySeconds": 5}
    return conforming(event)


def pair(properties, *, update=False):
    return {"resourceProperties": properties, **({"previousResourceProperties": {"Name": "abc"}} if update else {})}


def given_inputs():
    good, bad, kept = {"Name": "abc", "Locked": True}, {"Name": "abc", "Locked": False}, {"Name": "keepit"}
    return HookInputs(
        {
            InputKind.PRE_CREATE: {name: pair(good) for name in KNOWN},
            InputKind.PRE_UPDATE: {name: pair(good, update=True) for name in KNOWN},
            InputKind.PRE_DELETE: {name: pair(good) for name in KNOWN},
            InputKind.INVALID: {name: pair(bad, update=True) for name in KNOWN},
            InputKind.INVALID_PRE_DELETE: {name: pair(kept) for name in KNOWN},
        }
    )


def hook_subject(function, *, schema=None, inputs=None, known=None, configuration=None, **options):
    schema = schema or hook_schema()
    patience = options.pop("patience", None) or Clock().patience()
    session = HandlerSession(
        Transport(function),
        schema.type_name,
        sleep=patience.sleep,
        clock=patience.clock,
        type_configuration=configuration,
    )
    known = KNOWN if known is None else known
    return HookSubject(schema, session, inputs or given_inputs(), known, patience=patience, **options)


@dataclass(frozen=True)
class HookMutant:
    name: str
    clause: str
    handler: Callable
    warns: bool = False


HOOK_MUTANTS = []


def answering(clause, name, change, *, status="SUCCESS", point=None, base=conforming, warns=False, target=None):
    """A mutant that changes the answers of one status (None: any), at one point or all, for one target or all."""

    def handler(event, context):
        answer = base(event, context)
        asked = event["requestData"]["targetName"]
        chosen = point in (None, event["actionInvocationPoint"]) and target in (None, asked)
        if chosen and status in (None, answer["hookStatus"]):
            answer = copy.deepcopy(answer)
            changed = change(answer, event)
            return answer if changed is None else changed
        return answer

    HOOK_MUTANTS.append(HookMutant(f"{clause}:{name}", clause, handler, warns))


def members(**values):
    return lambda answer, _event: answer.update(values)


def without(*names):
    return lambda answer, _event: [answer.pop(name, None) for name in names] and None


def raising(_answer, _event):
    raise RuntimeError("boom")


def failed(code, message="no"):
    return members(hookStatus="FAILED", errorCode=code, message=message)


NAMES = dict(zip(POINTS, ("create", "update", "delete"), strict=True))
BOX, LETTER = "Acme::Store::Box", "Acme::Post::Letter"
PASS = members(hookStatus="SUCCESS", errorCode=None)
for each, word in NAMES.items():
    answering("hook.success", f"refuses_compliant_{word}", failed("NonCompliant"), point=each)
    answering("hook.success", f"code_with_{word}", members(errorCode="NonCompliant"), point=each)
    answering("hook.success", f"delay_with_{word}", members(callbackDelaySeconds=3), point=each, warns=True)
    answering("hook.failed", f"passes_non_compliant_{word}", PASS, status="FAILED", point=each, target=BOX)
    answering("hook.failed", f"no_code_from_{word}", without("errorCode"), status="FAILED", point=each)
    answering("hook.failed", f"no_message_from_{word}", without("message"), status="FAILED", point=each)
    answering("hook.unknown", f"passes_anything_{word}", PASS, status="FAILED", point=each,
              target="Initech::Unheard::Thing", warns=True)  # fmt: skip
    answering("hook.targets", f"does_not_know_one_at_{word}", failed("UnsupportedTarget"), point=each, target=LETTER)
    answering("hook.time", f"late_{word}", members(_seconds=31.5), status=None, point=each)
    answering("hook.progress", f"code_in_progress_{word}", members(errorCode="Throttling"), status="IN_PROGRESS",
              point=each, base=slow)  # fmt: skip
    answering("hook.progress", f"result_in_progress_{word}", members(result="half"), status="IN_PROGRESS",
              point=each, base=slow)  # fmt: skip
answering("hook.failed", "blank_message", members(message="  "), status="FAILED")
answering("hook.failed", "empty_code", members(errorCode=""), status="FAILED")
answering("hook.targets", "crashes_for_one", failed("InternalFailure", "KeyError: 'Locked'"), target=LETTER)
answering("hook.targets", "has_no_update_handler", failed("InternalFailure", "No handler"), point=POINTS[1])
answering("hook.targets", "calls_bad_input_unsupported", failed("UnsupportedTarget"), status="FAILED", target=BOX)
answering("hook.success", "passes_after_a_callback_with_a_code", members(errorCode="Unknown"), base=slow)
answering("event.failed.code", "odd_code", members(errorCode="NotNice"), status="FAILED")
answering("event.failed.quiet", "delay_of_failed", members(callbackDelaySeconds=3), status="FAILED")
answering("event.status", "odd_status", members(hookStatus="DONE"))
answering("event.status", "skips_stack_hooks_of_a_resource", members(hookStatus="CHANGE_SET_SUCCESS_SKIP_STACK_HOOK"))
answering("event.object", "status_of_a_resource", lambda answer, _: {"status": answer.pop("hookStatus"), **answer})
answering("event.object", "a_list", lambda answer, _: [answer])
answering("event.object", "raises", raising)
answering("event.delay", "negative_delay", members(callbackDelaySeconds=-1), status="IN_PROGRESS", base=slow)
answering(
    "event.progress.ends",
    "never_ends",
    members(callbackContext={}, callbackDelaySeconds=3600),
    status="IN_PROGRESS",
    base=slow,
)
answering("hook.time", "hangs",
          lambda *_: Answer(b'{"errorType": "Sandbox.Timedout", "errorMessage": "timed out"}', UNHANDLED, 32.0))  # fmt: skip


def about_the_first(answer, event, _first={}):  # noqa: B006 - what it remembers is the mutant
    """The verdict about the first target that it was asked about at the point, whatever the target is now."""
    point = event["actionInvocationPoint"]
    first = _first.setdefault(point, {**answer})
    return {**first, "clientRequestToken": event["clientRequestToken"]}


answering("hook.targets", "answers_the_request_before", members(clientRequestToken="that-of-another-request"))
answering("hook.targets", "crashes_for_a_target", raising, target=LETTER)
answering("hook.failed", "answers_for_another_target", about_the_first, status=None)
