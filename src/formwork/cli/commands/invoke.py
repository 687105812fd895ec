"""Call one handler as CloudFormation does, and follow its callbacks to the end.

  cfn invoke CREATE request.json                 a resource's handler: CREATE, READ, UPDATE, DELETE or LIST
  cfn invoke CREATE_PRE_PROVISION request.json   a hook's: CREATE_, UPDATE_ or DELETE_PRE_PROVISION
  cfn invoke event.json                          TestEntrypoint, with a whole event as in the guide's sam-tests/

The request file of a resource (previousResourceState is for UPDATE; READ and DELETE need the primary identifier only):
  {"desiredResourceState": {"Name": "one"}, "previousResourceState": {"Name": "one"}}
The request file of a hook:
  {"targetName": "AWS::S3::Bucket", "targetModel": {"resourceProperties": {"BucketName": "one"}}}

Each response is printed with its secrets masked, with -v each request too; --format json prints one document with
both. The exit code is 1 where the handler ends FAILED or gives no answer.
"""

import argparse
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, assert_never

from msgspec import Struct

from formwork.cli.intermixed import allow_options_anywhere
from formwork.command_context.egress import read_egress_rules
from formwork.command_context.handler_options import add_handler_arguments
from formwork.command_context.output import STDIN, STDIN_NAME, CommandOutput
from formwork.command_context.schemas_here import open_project
from formwork.diagnostics.errors import UsageError

if TYPE_CHECKING:
    from formwork.invoke import AnswerProblem, HandlerSession, Operation
    from formwork.invoke.masking import Masker
    from formwork.invoke.request_file import RequestFile
    from formwork.project import Project

ACTIONS = ("CREATE", "READ", "UPDATE", "DELETE", "LIST")
POINTS = ("CREATE_PRE_PROVISION", "UPDATE_PRE_PROVISION", "DELETE_PRE_PROVISION")
_USAGE = "cfn invoke [resource|hook] ACTION request.json"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of `cfn invoke`."""
    parser.usage = "cfn invoke [options] [resource|hook] [ACTION] FILE"
    parser.add_argument(
        "words",
        metavar="[resource|hook] [ACTION] FILE",
        nargs="+",
        help='what to call, and the file with the request ("-": standard input); `resource` and `hook`, as the '
        "incumbent wants them, may be left out, and ACTION where FILE is a whole event",
    )
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="how to print the calls (default: text)"
    )
    parser.add_argument(
        "--max-reinvoke", metavar="N", type=int, help="at most N further calls after the first (default: no limit)"
    )
    parser.add_argument(
        "--typeconfig",
        metavar="FILE",
        type=Path,
        help="type configuration (default: ~/.cfn-cli/typeConfiguration.json)",
    )
    parser.add_argument(
        "-d", "--debug-port", metavar="PORT", type=int, help="wait for a debugger on 127.0.0.1:PORT; no time limits"
    )
    add_handler_arguments(parser)
    allow_options_anywhere(parser)


class _Words(Struct, frozen=True):
    """The words of the line: `hook` None and `action` None where they don't say."""

    hook: bool | None
    action: str | None
    file: Path


def run(arguments: argparse.Namespace, output: CommandOutput) -> int:
    """Call, and show."""
    from formwork.cli.invoke_calls import JsonCalls, TextCalls
    from formwork.command_context.reach import reach_function
    from formwork.extensions import ExtensionKind

    words = _read_words(arguments.words)
    if arguments.max_reinvoke is not None and arguments.max_reinvoke < 0:
        raise UsageError(f"invalid --max-reinvoke {arguments.max_reinvoke}", hint="0 or more")
    if arguments.debug_port is not None and not 0 < arguments.debug_port < 65536:
        raise UsageError(f"invalid -d {arguments.debug_port}", hint="a port from 1 to 65535")
    project = open_project(arguments, output)
    if project.kind is ExtensionKind.MODULE:
        raise UsageError("a module has no handlers to invoke", hint="`cfn module expand` expands it")
    output.show(project.diagnostics)
    arguments.egress_rules = read_egress_rules(arguments, project.root)
    hook = project.kind is ExtensionKind.HOOK
    if words.hook is not None and words.hook is not hook:
        raise UsageError(f"this project is a {project.kind.noun}", hint=_USAGE)
    request = _read_request(words, output, hook=hook)
    function = arguments.function_name or ("TestEntrypoint" if request.event is not None else "TypeFunction")
    masker = _masker(project, request, hook=hook)
    # A local service reports each line as it is written; another one's log comes with the answer.
    calls = (JsonCalls if arguments.format == "json" else TextCalls)(masker, output, log=bool(arguments.endpoint))

    def log(_function: str, _request_id: str, line: str) -> None:
        output.say(f"| {masker.text(line)}")

    with reach_function(
        arguments, project, output, function=function, debug_port=arguments.debug_port, log=log, mask=masker.text
    ) as reached:
        from formwork.invoke import HandlerSession

        configuration = _type_configuration(arguments, project, request, output)
        session = HandlerSession(
            reached.transport,
            project.type_name,
            account=reached.account,
            region=reached.region,
            credentials=reached.credentials,
            type_configuration=configuration,
            resolve=reached.stored_values(configuration, output),
            sleep=lambda seconds: _wait(seconds, output),
            on_request=calls.on_request,
            on_exchange=calls.on_exchange,
        )
        operation = _drive(session, project, words, request, arguments)
    code = _conclude(operation, masker, output)
    calls.end(operation)
    return code


def _read_words(words: list[str]) -> _Words:
    hook: bool | None = None
    if words[0] in ("resource", "hook") and len(words) > 1:
        hook = words[0] == "hook"
        words = words[1:]
    match words:
        case [file]:
            if file.upper() in (*ACTIONS, *POINTS):
                raise UsageError(f"{file}: missing request file", hint=_USAGE)
            return _Words(hook, None, Path(file))
        case [action, file]:
            known = ACTIONS if hook is False else POINTS if hook else (*ACTIONS, *POINTS)
            if action.upper() not in known:
                raise UsageError(f'unknown action "{action}"', hint=f"one of {', '.join(known)}")
            action = action.upper()
            return _Words(action in POINTS if hook is None else hook, action, Path(file))
        case _:
            raise UsageError(f"too many arguments: {' '.join(words)}", hint=_USAGE)


def _read_request(words: _Words, output: CommandOutput, *, hook: bool) -> "RequestFile":
    from formwork.diagnostics import BadInputError
    from formwork.invoke.request_file import read_request_file
    from formwork.project.data_file import parse_data, read_data_file

    if str(words.file) == STDIN:
        document, diagnostics = parse_data(output.read_input(), name=STDIN_NAME, exports={})
    else:
        document, diagnostics = read_data_file(words.file, exports={})
    if document is None or diagnostics:
        raise BadInputError(diagnostics)
    request = read_request_file(document, hook=hook)
    if request.event is None and words.action is None:
        raise UsageError(f"missing action: {words.file} is a request without one", hint=_USAGE)
    if request.event is not None and words.action not in (None, request.action):
        raise UsageError(f"{words.file} is an event for {request.action}, but the command names {words.action}")
    return request


def _type_configuration(
    arguments: argparse.Namespace, project: "Project", request: "RequestFile", output: CommandOutput
) -> "dict[str, Any] | None":
    from formwork.command_context.configurations import expect_hook, hook_configuration, resource_configuration
    from formwork.extensions import ExtensionKind

    if request.type_configuration is not None:
        return dict(request.type_configuration)
    if project.kind is ExtensionKind.HOOK:
        schema, _ = expect_hook(project)
        configuration, found = hook_configuration(schema, arguments.typeconfig)
        output.show(found)
        return configuration
    given, found = resource_configuration(_resource_schema(project), arguments.typeconfig)
    output.show(found)
    return given


def _masker(project: "Project", request: "RequestFile", *, hook: bool) -> "Masker":
    """Masks the writeOnly properties of the type, of a hook those of its target."""
    from formwork.diagnostics import get_at
    from formwork.invoke.masking import Masker
    from formwork.invoke.project_masks import project_masker

    if not hook:
        return Masker.of_resource(_resource_schema(project))
    target = request.members.get("target_name") or get_at(request.event, ("request", "hookContext", "targetName"))
    return project_masker(project, target=str(target))


def _resource_schema(project: "Project") -> Any:
    from formwork.diagnostics import BadInputError
    from formwork.project.schema_document import schema_references
    from formwork.schema import load_resource_schema

    loaded = load_resource_schema(project.schema_path, references=schema_references(project))
    if loaded.schema is None:
        raise BadInputError(loaded.diagnostics)
    return loaded.schema


def _drive(
    session: "HandlerSession",
    project: "Project",
    words: _Words,
    request: "RequestFile",
    arguments: argparse.Namespace,
) -> "Operation":
    from formwork.invoke import Operation, OperationEnd

    if request.event is not None:  # the guide's way: one call, and the author carries the context over
        event = session.with_credentials(request.event)
        return Operation((session.send(event),), OperationEnd.ANSWERED)
    assert words.action is not None
    if words.hook:
        members = dict(request.members)
        target, model = members.pop("target_name"), members.pop("target_model")
        return session.run_hook(words.action, target, model, max_reinvoke=arguments.max_reinvoke, **members)
    members = dict(request.members)
    desired = members.pop("desired", None)
    return session.run(
        words.action,
        desired,
        members.pop("previous", None),
        max_reinvoke=arguments.max_reinvoke,
        timeout_minutes=None if arguments.debug_port else _timeout_minutes(project, words.action),
        **members,
    )


def _timeout_minutes(project: "Project", action: str) -> float:
    handler = _resource_schema(project).handlers.get(action.lower())
    return 120.0 if handler is None else float(handler.timeout_in_minutes)


def _hint(problem: "AnswerProblem") -> str | None:
    """Return how to fix the error that keeps the handler's module from loading, or None."""
    if "from 'cloudformation_cli_python_lib'" in problem.message:
        return (
            "run `cfn generate`: models.py of an older version, or the handlers, need Formwork's handler library; "
            "else leave --aws-runtime out"
        )
    alias = _alias_in(problem.message)
    if alias is not None:
        return f'"{alias}" is a path alias of tsconfig.json, which the compiler leaves as it is: see tsc-alias'
    missing = re.search(r"No module named '([^']+)'", problem.message)
    if problem.error_type != "Runtime.ImportModuleError" or missing is None:
        return None
    module = missing[1]
    if module.endswith((".models", ".target_models")):
        return "`cfn generate` writes it"
    name = module.partition(".")[0]
    from formwork.languages.python.runtime_packages import is_included

    if is_included(name) and module == name:  # in requirements.txt it would change nothing: packages leave it out
        return (
            f"Lambda includes {name}; here the boto3 beside Formwork (pip install boto3) provides "
            "it, or pip, where that one does not run on the handlers' Python: see its lines above"
        )
    return f"add the distribution that contains {name} to requirements.txt, or fix the import"


def _alias_in(message: str) -> str | None:
    """Return the path alias of the project that a message about a missing Node module names."""
    missing = re.search(r"Cannot find (?:module|package) '([^']+)'", message)
    if missing is None:
        return None
    from formwork.toolchain.path_aliases import alias_of, aliases_of

    return alias_of(missing[1], aliases_of(Path()))


def _wait(seconds: float, output: CommandOutput) -> None:
    output.say(f"waiting {seconds:g} s, as the handler asks")
    time.sleep(seconds)


def _conclude(operation: "Operation", masker: "Masker", output: CommandOutput) -> int:
    """Say how it ended, where the last response doesn't; the exit code."""
    from formwork.invoke import OperationEnd

    if operation.problem is not None:
        output.say(f"the handler did not answer: {masker.text(operation.problem.message)}")
        if hint := _hint(operation.problem):
            output.say(f"  = help: {hint}")
        return 1
    match operation.end:
        case OperationEnd.ANSWERED:
            if operation.status is None:
                output.say('the response has no "status"')
            return 1 if operation.status in ("FAILED", None) else 0
        case OperationEnd.SYNCHRONOUS:
            output.say("READ and LIST must answer at once: CloudFormation does not call them again")
            return 1
        case OperationEnd.TIMED_OUT:
            output.say("the handler's timeoutInMinutes ended before the operation did")
            return 1
        case OperationEnd.DELAY_NEGATIVE:
            output.say("the handler does not ask for a further call (its callbackDelaySeconds is negative)")
            return 0
        case OperationEnd.REINVOKE_LIMIT:
            output.say("still IN_PROGRESS after the calls that --max-reinvoke allows")
            return 0
        case _:
            assert_never(operation.end)
