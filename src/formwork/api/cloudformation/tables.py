"""Every operation on stacks, change sets, templates and hooks in one table."""

from formwork.api.cloudformation.aliases import alias_operations, with_aliases
from formwork.api.cloudformation.change_sets import change_set_operations, with_change_sets
from formwork.api.cloudformation.hooks import hook_operations, with_hook_counts
from formwork.api.cloudformation.operation_events import event_operations
from formwork.api.cloudformation.protection import protection_operations
from formwork.api.cloudformation.recovery import recovery_operations
from formwork.api.cloudformation.signals import signal_operations
from formwork.api.cloudformation.stack_requests import Fetch, StackRequests
from formwork.api.cloudformation.stacks import stack_operations
from formwork.api.cloudformation.templates import template_operations
from formwork.api.dispatch import OperationTable
from formwork.engine.aliases import StackAliases
from formwork.engine.engine import Engine
from formwork.engine.hook_lookups import HookResults
from formwork.engine.operation_events import OperationEvents
from formwork.engine.protection import Protection
from formwork.engine.recovery import Recovery
from formwork.service_types.custom.answers import CustomResourceAnswers
from formwork.service_types.nesting.change_sets import NestedChangeSets
from formwork.service_types.signalling.receiving import Signals
from formwork.stack_sets.stack_sets import StackSets


def stack_table(engine: Engine, stack_sets: StackSets, fetch: Fetch) -> OperationTable:
    """Return the functions that answer the operations on stacks; `fetch` reads the URL of a template or a policy."""
    requests = StackRequests(fetch)
    change_sets = NestedChangeSets(engine)
    results = HookResults(engine, change_sets)
    stacks = stack_operations(engine, requests)
    sets = change_set_operations(change_sets, requests)
    get_template, describe_set = ("cloudformation", "GetTemplate"), ("cloudformation", "DescribeChangeSet")
    describe, aliases = ("cloudformation", "DescribeStacks"), StackAliases(engine)
    return {
        **stacks,
        describe: with_aliases(stacks[describe], aliases),
        **alias_operations(aliases),
        get_template: with_change_sets(stacks[get_template], change_sets),
        **sets,
        describe_set: with_hook_counts(sets[describe_set], results),
        **hook_operations(results),
        **template_operations(engine, requests, stack_sets.template),
        **protection_operations(Protection(engine), requests),
        **recovery_operations(engine, Recovery(engine)),
        **event_operations(OperationEvents(engine, change_sets)),
        **signal_operations(Signals(engine), CustomResourceAnswers(engine.database), engine.settings.now),
    }
