"""When a hook is asked, before and after: what it newly judges may fail where it passed."""

from collections.abc import Iterator

from formwork.schema.hook import HookSchema
from formwork.schema_changes.change import BREAKING, HARMLESS, RISKY, Change


def compare_invocations(old: HookSchema, new: HookSchema) -> Iterator[Change]:
    """Yield the changes of the hook's name, its invocation points, and each one's targets and permissions."""
    if old.type_name != new.type_name:
        words = f'the hook "{old.type_name}" is now called "{new.type_name}"'
        yield Change("type-name", BREAKING, words, ("typeName",), "a new identity needs a new type")
    for name, handler in old.handlers.items():
        if name not in new.handlers:
            words = f"the hook is no longer invoked at {name}, and passes what it refused there"
            yield Change("handler-removed", RISKY, words, ("handlers", name), "keep it", old=True)
        else:
            yield from _targets_gone(name, handler.target_names, new.handlers[name].target_names)
    for name, handler in new.handlers.items():
        before = old.handlers.get(name)
        if before is None:
            words = f"the hook is now invoked at {name}, and may refuse what passed before"
            yield Change("handler-added", RISKY, words, ("handlers", name))
            continue
        for index, target in enumerate(handler.target_names):
            if target not in before.target_names:
                words = f"the hook now judges {target} at {name}, and may refuse what passed before"
                yield Change("target-added", RISKY, words, ("handlers", name, "targetNames", index))
        yield from _permissions(name, before.permissions, handler.permissions)


def _targets_gone(name: str, before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[Change]:
    for index, target in enumerate(before):
        if target not in after:
            words = f"the hook no longer names {target} at {name}, and may pass what it refused"
            yield Change("target-removed", RISKY, words, ("handlers", name, "targetNames", index), old=True)


def _permissions(name: str, before: tuple[str, ...], after: tuple[str, ...]) -> Iterator[Change]:
    added = [each for each in after if each not in before]
    if added:
        words = f"{name} now needs {', '.join(added)}, which the users' execution roles may lack"
        yield Change("permission-added", RISKY, words, ("handlers", name, "permissions"))
    elif len(after) < len(before):
        words = f"{name} needs fewer permissions"
        yield Change("permission-removed", HARMLESS, words, ("handlers", name, "permissions"))
