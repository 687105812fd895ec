"""Scenarios: which calls were made for a recording, as data, and their player.

A file of `tests/conformance/fidelity/scenarios/` tells it for one recorded file. A scenario is a list of steps:

    call: CreateStack            an operation
    with: {StackName: stack}     its input; a template may be an object, or {file: x.yaml} among the recorded ones, some
                                 of its text replaced: {file: x.yaml, replace: {a: b}}; or any text of {long: 9} letters
    error: response              it must be refused; the answer is all of it (response), its `message` or its `text`
    show: Stacks[0]              what of the answer counts, as JMESPath
    save: {stack: StackId}       what later steps may use as %stack%
    keep: creation               under what name it was recorded

    keep: outputs                something saved, under what name it was recorded
    value: "%outputs%"

    parsed: TemplateBody         a member that is JSON, in place of the answer
    reverse, unique: what of the answer stands in the other order; a shown list sorted, each entry once

    deploy: {template: …, parameters: {…}, as: child, update: true}   a stack by way of a change set
    macro: {name: …, code: …}                                         a macro, and the Python function that it runs
    states: STACK                                                     the stack's events as [logical id, status]
    store: {name: value}                                              parameters of Parameter Store
    put: {bucket: …, key: …, content: …}                              an object in a bucket; or `file`, a template
    hold: true                                                        start no work until `hold: false`
    update: {first: …, second: …, parameters: [{…}, {…}]}             what capture.py plays
    register: {name: …, handlers: …, configuration: {…}}              a type (a hook by its name) of these handlers

One that is an object has its steps under `steps`, under `replaced` what the recorder put in place of which texts, and
under `any` what it put in place of any text, where that does not look like it, and under `left` random texts that it
left as they were.
"""

import json
from functools import cache
from pathlib import Path

import jmespath
import yaml

from support.corpus import FIXTURES
from support.recordings.capture import capture_steps
from support.recordings.service import Refused
from support.registry import hook_package, resource_package

RECORDED = FIXTURES / "aws-recorded"
SCENARIOS = Path(__file__).parents[2] / "conformance" / "fidelity" / "scenarios"
CAPABILITIES = ["CAPABILITY_AUTO_EXPAND", "CAPABILITY_IAM", "CAPABILITY_NAMED_IAM"]


@cache
def load_scenarios():
    """{recording: {case: steps}}."""
    found = {}
    for path in sorted(SCENARIOS.rglob("*.yaml")):
        name = path.relative_to(SCENARIOS).with_suffix("").as_posix()
        found[name] = yaml.safe_load(path.read_text(encoding="utf-8"))["cases"]
    return found


@cache
def load_recording(name):
    """{case: recorded content} of one recorded file."""
    path = RECORDED / "snapshots" / f"{name}.snapshot.json"
    cases = json.loads(path.read_text(encoding="utf-8"))
    return {key.partition("::")[2]: case["recorded-content"] for key, case in cases.items()}


def recordings():
    """The names of all recorded files."""
    root = RECORDED / "snapshots"
    return [path.relative_to(root).as_posix().removesuffix(".snapshot.json") for path in sorted(root.rglob("*.json"))]


def play(service, scenario, recorded):
    """What is answered, by the name it was recorded under."""
    player = _Player(service, recorded)
    if isinstance(scenario, dict) and "steps" in scenario:
        player.play(scenario["steps"])
        return _replaced(player.kept, scenario.get("replaced", {}))
    player.play([scenario] if isinstance(scenario, dict) else scenario)
    return player.kept


def normalise(recorded, scenario):
    """The recorded content with random texts that the recorder left replaced as it replaced others."""
    left = scenario.get("left", ()) if isinstance(scenario, dict) else ()
    return _replaced(recorded, {text: f"<left:{number}>" for number, text in enumerate(left, 1)})


def any_texts(scenario):
    """What the recorder put in place of any text, besides what looks like it."""
    return frozenset(scenario.get("any", ())) if isinstance(scenario, dict) else frozenset()


def _replaced(value, texts):
    """What the recorder was told to put in place of values that are not random."""
    text = json.dumps(value, default=str)
    for found, put in texts.items():
        text = text.replace(found, put)
    return json.loads(text)


class _Player:
    def __init__(self, service, recorded):
        self._service = service
        self._recorded = recorded
        self._saved = {}
        self.kept = {}

    def play(self, steps):
        for step in steps:
            if "update" in step:
                self.play(capture_steps(self._filled(step["update"]), self._recorded))
            else:
                self._play(self._filled(step))

    def _play(self, step):
        answer = self._done(step)
        for name, path in step.get("save", {}).items():
            self._saved[name] = jmespath.search(path, answer)
        for path, key in step.get("sort", {}).items():
            (jmespath.search(path, answer) or []).sort(key=lambda each: str(jmespath.search(key, each)))
        if "parsed" in step:
            answer = json.loads(answer[step["parsed"]])
        if "reverse" in step:
            jmespath.search(step["reverse"], answer).reverse()
        if "show" in step:
            answer = jmespath.search(step["show"], answer)
        if "unique" in step:
            answer = sorted(set(answer))
        if "keep" in step:
            self.kept[step["keep"]] = answer

    def _done(self, step):
        """What the step does, and what is answered."""
        if "call" in step:
            return self._call(step)
        verbs = {
            "deploy": lambda asked: self._deploy(**asked),
            "macro": lambda macro: self._deploy(_macro(**macro), name=f"macro-{macro['name']}", **{"as": "macro"}),
            "put": self._put,
            "register": self._register,
            "hold": self._service.hold,
            "store": self._service.store,
            "events": self._events,
            "states": self._states,
            "value": lambda value: value,
        }
        ((verb, argument),) = ((each, step[each]) for each in verbs if each in step)
        return verbs[verb](argument)

    def _put(self, given):
        content = _text({"file": given["file"]}) if "file" in given else given["content"]
        return self._service.put(given["bucket"], given["key"], content.encode())

    def _register(self, given):
        name, hook = given["name"], given["name"].endswith("Hook")
        content = (hook_package if hook else resource_package)(name, handlers=given["handlers"])
        url = self._service.put("packages-1", "package.zip", content)
        kind = "HOOK" if hook else "RESOURCE"
        self._service.call("RegisterType", {"Type": kind, "TypeName": name, "SchemaHandlerPackage": url})
        if "configuration" in given:
            request = {"Type": kind, "TypeName": name, "Configuration": json.dumps(given["configuration"])}
            self._service.call("SetTypeConfiguration", request)

    def _call(self, step):
        request = dict(step.get("with", {}))
        for name in ("TemplateBody", "StackPolicyBody", "StackPolicyDuringUpdateBody"):
            if name in request:
                request[name] = _text(request[name])
        if "error" not in step:
            return self._service.call(step["call"], request)
        try:
            self._service.call(step["call"], request)
        except Refused as refusal:
            error = refusal.answer["Error"]
            return {"response": refusal.answer, "message": error["Message"], "text": str(refusal)}[step["error"]]
        return {"not refused": step["call"]}

    def _deploy(self, template, parameters=None, name="stack", update=False, **more):
        """A stack as most recordings made theirs; `%NAME_id%`, `%NAME_outputs%` tell of it."""
        label, stack_name = more.pop("as", "stack"), name
        made = self._service.call(
            "CreateChangeSet",
            {
                "StackName": stack_name,
                "ChangeSetName": f"{stack_name}-{'update' if update else 'create'}",
                "TemplateBody": _text(template),
                "ChangeSetType": "UPDATE" if update else "CREATE",
                "Capabilities": CAPABILITIES,
                "Parameters": [
                    {"ParameterKey": key, "ParameterValue": value} for key, value in (parameters or {}).items()
                ],
                **more,
            },
        )
        self._service.call("ExecuteChangeSet", {"ChangeSetName": made["Id"]})
        found = self._service.call("DescribeStacks", {"StackName": made["StackId"]})["Stacks"][0]
        outputs = {each["OutputKey"]: each["OutputValue"] for each in found.get("Outputs", [])}
        self._saved |= {f"{label}_id": made["StackId"], f"{label}_change_set": made["Id"], f"{label}_outputs": outputs}

    def _events(self, settings):
        """Events by logical id: the newest first as answered; or cut, the oldest first, of several alike one."""
        events = self._service.call("DescribeStackEvents", {"StackName": settings["stack"]})["StackEvents"]
        found = {}
        if not settings["cut"]:
            for event in events:
                found.setdefault(event["LogicalResourceId"], []).append(event)
            return found
        members = ("PhysicalResourceId", "LogicalResourceId", "ResourceType", "ResourceStatus", "Timestamp")
        for event in events:
            own = event["LogicalResourceId"] == event["StackName"]
            known = found.setdefault("Stack" if own else event["LogicalResourceId"], [])
            if event["ResourceStatus"] in settings["without"]:
                continue
            if known and all(known[0][each] == event[each] for each in members[1:4]):
                if settings["newest"]:
                    continue
                del known[0]
            known.insert(0, {each: event.get(each) for each in members})
        return {name: each for name, each in found.items() if each}

    def _states(self, stack):
        """What the stack and its resources came to, the oldest first, each state once."""
        events = self._service.call("DescribeStackEvents", {"StackName": stack})["StackEvents"]
        states = [[each["LogicalResourceId"], each["ResourceStatus"]] for each in reversed(events)]
        kept = [each for each in states if each[1] != "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS"]
        return [each for number, each in enumerate(kept) if each not in kept[:number]]

    def _filled(self, value):
        """A step with what was saved put in."""
        match value:
            case dict():
                return {key: self._filled(each) for key, each in value.items()}
            case list():
                return [self._filled(each) for each in value]
            case str() if value.startswith("%") and value[1:-1] in self._saved and value.endswith("%"):
                return self._saved[value[1:-1]]
            case str() if "%" in value:
                for name, each in self._saved.items():
                    value = value.replace(f"%{name}%", str(each))
        return value


def _text(template):
    """A template's or policy's text."""
    match template:
        case {"file": str(name)}:
            text = (RECORDED / "templates" / name).read_text(encoding="utf-8")
            for found, put in template.get("replace", {}).items():
                text = text.replace(found, put)
            return text
        case {"long": int(length)}:
            return "x" * length
        case dict():
            return json.dumps(template)
    return str(template)


def _macro(name, code):
    function = {"Handler": "index.handler", "Runtime": "python3.12", "Role": "arn:aws:iam::111111111111:role/r"}
    return {
        "Resources": {
            "Function": {"Type": "AWS::Lambda::Function", "Properties": {**function, "Code": {"ZipFile": code}}},
            "Macro": {
                "Type": "AWS::CloudFormation::Macro",
                "Properties": {"Name": name, "FunctionName": {"Fn::GetAtt": ["Function", "Arn"]}},
            },
        }
    }
