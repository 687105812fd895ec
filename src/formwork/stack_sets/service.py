"""The stack sets of an engine, put together."""

from formwork.durable import Work
from formwork.engine.drift.detection import DriftDetection
from formwork.engine.engine import Engine
from formwork.stack_sets.instances import StackInstances
from formwork.stack_sets.running import Runner
from formwork.stack_sets.stack_sets import StackSets
from formwork.stack_sets.starting import Starter


class StackSetService:
    """The operations of stack sets. Create it before the work is launched, and call `resume` afterwards."""

    def __init__(self, engine: Engine, drift: DriftDetection, work: Work) -> None:
        runner = Runner(engine, drift, work)
        starter = Starter(engine, runner)
        self.sets = StackSets(engine, starter)
        self.instances = StackInstances(engine, starter)
        self.resume = runner.resume
