"""A stack engine for tests: types of a table of schemas, made by the simulator, and time that only sleeping moves."""

import contextlib
import json
import time

from sqlalchemy import select

from formwork.aws.scope import Scope
from formwork.documents import parse_document
from formwork.durable.observer import WorkObserver
from formwork.engine.change_sets import ChangeSets
from formwork.engine.deletion import DeleteRequest, delete_stack
from formwork.engine.engine import Engine
from formwork.engine.hook_lookups import HookResultQuery, HookResults
from formwork.engine.planning.requests import StackRequest
from formwork.engine.recovery import Recovery
from formwork.engine.settings import EngineSettings
from formwork.hooks import FailureMode, HookPassed, TargetKind
from formwork.preparation.parameters import GivenParameter
from formwork.provisioning import OwnTypes
from formwork.provisioning.outcomes import Failed
from formwork.provisioning.simulated import SimulatedProvisioner
from formwork.schema import load_resource_schema
from formwork.service_types.nesting.stacks import NestedStacks
from formwork.stacks.errors import MacroError, StackError
from formwork.stacks.store.records import STACK_TYPE
from formwork.stacks.store.tables import notices

HERE = Scope("111122223333", "eu-west-1")


def thing_schema(name="Acme::Web::Thing", **more):
    """A type with a name that users may give, a colour, a size that only sometimes can change, and an ARN."""
    value = {
        "typeName": name,
        "description": "A thing.",
        "additionalProperties": False,
        "properties": {
            "Id": {"type": "string", "pattern": "^thing-[0-9a-f]{8}$"},
            "Arn": {"type": "string", "pattern": "^arn:thing:[0-9]{6}$"},
            "Name": {"type": "string"},
            "Color": {"type": "string"},
            "Size": {"type": "integer"},
            "Secret": {"type": "string"},
            "Of": {"type": "string"},
            "Tags": {"type": "array", "items": {"type": "object", "additionalProperties": False}},
        },
        "primaryIdentifier": ["/properties/Id"],
        "readOnlyProperties": ["/properties/Id", "/properties/Arn"],
        "createOnlyProperties": ["/properties/Name"],
        "conditionalCreateOnlyProperties": ["/properties/Size"],
        "writeOnlyProperties": ["/properties/Secret"],
        "tagging": {"taggable": False},
        "handlers": {each: {"permissions": ["a:B"]} for each in ("create", "read", "update", "delete", "list")},
        **more,
    }
    loaded = load_resource_schema(parse_document(json.dumps(value), name="thing.json"))
    assert loaded.schema is not None, loaded.diagnostics
    return loaded.schema


class Clock:
    """Seconds since the epoch, moved by sleeping."""

    def __init__(self):
        self.time = 1_700_000_000.0

    def now(self):
        self.time += 0.001
        return self.time

    def sleep(self, seconds):
        self.time += seconds


class RealTime:
    """Seconds since the epoch as they are."""

    now = staticmethod(time.time)


class AtOnce:
    """Runs workflows as they are started, in the starting thread; each id once."""

    executor = "test"

    def __init__(self, clock):
        self._clock = clock
        self._bodies = {}
        self.started = []

    def register(self, name, body):
        self._bodies[name] = body

    def start(self, name, workflow_id, *arguments):
        if workflow_id not in self.started:
            self.started.append(workflow_id)
            self._bodies[name](*arguments)

    def step(self, _name, function, *arguments):
        return json.loads(json.dumps(function(*arguments)))

    def sleep(self, seconds):
        self._clock.sleep(seconds)

    def check(self):
        pass

    def threads(self, _most):
        return contextlib.nullcontext(self)

    def submit(self, function, *arguments):
        """As the only thread does it."""
        function(*arguments)


class Scripted:
    """A provisioner that answers some calls as the test says, and the others as the simulator."""

    version = "00000001"
    note = None

    def __init__(self, inner):
        self.schema = inner.schema
        self.inner = inner
        self.calls = []
        self.answers = {}

    def invoke(self, call):
        self.calls.append(call)
        for wanted in ((call.action, call.logical_id), (call.action, None)):
            if self.answers.get(wanted):
                answer = self.answers[wanted].pop(0)
                if answer is not None:
                    return answer
                break
        return self.inner.invoke(call)

    def answer(self, action, *answers, logical_id=None):
        """The next answers to an action; None lets the simulator answer."""
        self.answers[action, logical_id] = list(answers)

    def fail(self, action, *, logical_id=None, code="GeneralServiceException", message="no", times=1):
        self.answer(action, *([Failed(code, message)] * times), logical_id=logical_id)

    @property
    def stored(self):
        """The models that exist."""
        return [each.model for each in self.inner._simulator.store.resources.values()]


class Table:
    """Provisioners by type name."""

    def __init__(self, database, schemas, modules=None):
        self.modules = modules or {}
        self.own = OwnTypes()
        self.by_name = {each.type_name: Scripted(SimulatedProvisioner(each, database, HERE)) for each in schemas}

    def find(self, scope, name, _version=None):
        return self.own.find(scope, name) or self.by_name.get(name)

    def find_module(self, _scope, name):
        return self.modules.get(name)

    def explain(self, _scope, _name):
        return None


class Checkpoints(WorkObserver):
    """Calls a function with the moments that work reaches."""

    def __init__(self, reached):
        self.checkpoint = reached


class NoReferences:
    """`DynamicReferences` of a machine without stored values: references stay as they are written."""

    def parameter(self, _scope, _name):
        return None

    def parameter_exists(self, _scope, _name):
        return True

    def pin(self, _scope, value):
        return value

    def resolve(self, _scope, value):
        return value


class Resolving(NoReferences):
    """`DynamicReferences` whose values a function of the test gives."""

    def __init__(self, resolve):
        self.resolve = resolve


class NoNotices:
    """Delivers nothing: notices stay in the database."""

    def wake(self):
        pass


class Guard:
    """A hook that answers as the test says, and lets everything pass after that."""

    version = "00000001"
    configuration_version = "1"
    most_calls = 4

    def __init__(
        self, *answers, mode=FailureMode.FAIL, name="Acme::Web::Guard", kinds=(TargetKind.RESOURCE,), about=None
    ):
        self.type_name = name
        self.type_arn = f"arn:aws:cloudformation:eu-west-1:111122223333:type/hook/{name.replace('::', '-')}"
        self.mode = mode
        self.answers = list(answers)
        self.kinds = kinds
        self.about = about or {"description": "It guards."}
        self.calls = []

    def covers(self, target):
        return target.kind in self.kinds

    def invoke(self, call):
        self.calls.append(call)
        return self.answers.pop(0) if self.answers else HookPassed("fine")


class Asked:
    """Hooks that are at work."""

    def __init__(self, hooks):
        self.hooks = list(hooks)

    def active(self, _scope):
        return tuple(self.hooks)


class NoTransforms:
    """`Transforms` without macros."""

    def run(self, _scope, call):
        raise MacroError(call.name, "it is not there")


class Bench:
    """An engine, and what a test looks at."""

    def __init__(
        self,
        database,
        *schemas,
        work=None,
        modules=None,
        hooks=(),
        clock=None,
        checkpoint=lambda _name: None,
        references=None,
        transforms=None,
    ):
        self.clock = clock or Clock()
        self.work = work or AtOnce(self.clock)
        self.table = Table(database, schemas or [thing_schema()], modules)
        self.templates = {}  # by URL
        self.hooks = Asked(hooks)
        self.engine = Engine(
            database,
            self.work,
            EngineSettings(
                types=self.table,
                templates=self,
                transforms=transforms or NoTransforms(),
                references=references or NoReferences(),
                hooks=self.hooks,
                notices=NoNotices(),
                now=self.clock.now,
                observer=Checkpoints(checkpoint),
            ),
        )

        self.table.own.add(STACK_TYPE, NestedStacks(self.engine))

    def fetch_nested(self, _scope, url):
        """`TemplateStore`: the templates of the test."""
        if url not in self.templates:
            raise StackError("TemplateURL must reference a valid S3 object to which you have access.")
        return self.templates[url]

    @property
    def notices(self):
        """What waits to be delivered to whoever listens to hooks."""
        with self.engine.database.read() as connection:
            return [json.loads(each.content) for each in connection.execute(select(notices).order_by(notices.c.number))]

    @property
    def things(self):
        return self.table.by_name["Acme::Web::Thing"]

    def request(self, template, name="shop", **more):
        parameters = tuple(GivenParameter(*each) for each in more.pop("parameters", {}).items())
        return StackRequest(name=name, template=template, parameters=parameters, **more)

    def create(self, template, **more):
        return self.engine.create_stack(HERE, self.request(template, **more))[0]

    def update(self, template, **more):
        return self.engine.update_stack(HERE, self.request(template, **more))[0]

    def delete(self, name="shop", **more):
        delete_stack(self.engine, HERE, DeleteRequest(name=name, **more))

    @property
    def recovery(self):
        return Recovery(self.engine)

    def stack(self, name="shop"):
        return self.engine.lookups.describe_stack(HERE, name)

    def resources(self, name="shop"):
        return self.engine.lookups.list_resources(HERE, name)

    def hook_results(self, **query):
        """What hooks have answered, the newest first."""
        looking = HookResults(self.engine, ChangeSets(self.engine))
        return looking.list(HERE, HookResultQuery(**query))[0]

    def story(self, name="shop"):
        """What happened, oldest first: (logical id, status, reason)."""
        return [(e.logical_id, e.status, e.reason) for _, e in reversed(self.engine.lookups.list_events(HERE, name))]
