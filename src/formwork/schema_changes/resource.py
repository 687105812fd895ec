"""What the resource type as a whole is, before and after: identifiers, mutability, handlers, tagging."""

from collections.abc import Callable, Iterator

from formwork.schema.paths import PropertyPath
from formwork.schema.resource import ResourceSchema
from formwork.schema_changes.change import BREAKING, HARMLESS, RISKY, Change, name_of

_NEW_TYPE = "a new identity needs a new type"


def compare_resources(old: ResourceSchema, new: ResourceSchema) -> Iterator[Change]:
    """Yield the changes of the type's name, semantic lists, handlers and tagging."""
    for compare in _COMPARISONS:
        yield from compare(old, new)


def _type_name(old: ResourceSchema, new: ResourceSchema) -> Iterator[Change]:
    if old.type_name != new.type_name:
        words = f'the type "{old.type_name}" is now called "{new.type_name}"'
        yield Change("type-name", BREAKING, words, ("typeName",), _NEW_TYPE)


def _identifiers(old: ResourceSchema, new: ResourceSchema) -> Iterator[Change]:
    if old.primary_identifier != new.primary_identifier:
        before, after = (" and ".join(map(name_of, each.primary_identifier)) for each in (old, new))
        words = f"the primary identifier was {before} and is {after}"
        yield Change("identifier-changed", BREAKING, words, ("primaryIdentifier",), _NEW_TYPE)
    for each in old.additional_identifiers:
        if each not in new.additional_identifiers:
            words = f"{' and '.join(map(name_of, each))} no longer identifies a resource"
            at = ("additionalIdentifiers",)
            yield Change("identifier-removed", BREAKING, words, at, "keep it", old=not new.additional_identifiers)


def _mutability(old: ResourceSchema, new: ResourceSchema) -> Iterator[Change]:
    for keyword, before, after, verb in (
        ("readOnlyProperties", old.read_only, new.read_only, "be set"),
        ("createOnlyProperties", old.create_only, new.create_only, "be changed without replacement"),
        ("writeOnlyProperties", old.write_only, new.write_only, "be read"),
        ("nonPublicProperties", old.non_public, new.non_public, "be seen"),
        (
            "conditionalCreateOnlyProperties",
            old.conditional_create_only,
            new.conditional_create_only,
            "always be changed without replacement",
        ),
    ):
        for path in after:
            if _is_new(path, before, old):
                words = f'"{name_of(path)}" can no longer {verb}: it is now in {keyword}'
                slug = f"became-{_kind(keyword)}"
                yield Change(slug, BREAKING, words, (keyword, after.index(path)), "leave it as it was")
        for path in before:
            if path not in after and new.subschema_at(path) is not None:
                words = f'"{name_of(path)}" can now {verb}'
                yield Change(f"no-longer-{_kind(keyword)}", HARMLESS, words, (keyword,), old=True)


def _kind(keyword: str) -> str:
    return {
        "readOnlyProperties": "read-only",
        "createOnlyProperties": "create-only",
        "writeOnlyProperties": "write-only",
        "nonPublicProperties": "non-public",
        "conditionalCreateOnlyProperties": "conditional-create-only",
    }[keyword]


def _is_new(path: PropertyPath, before: tuple[PropertyPath, ...], old: ResourceSchema) -> bool:
    """Return whether `path` is a property of old that was in none of `before`, nor below one that was."""
    covered = any(path[: len(each)] == each for each in before)
    return not covered and old.subschema_at(path) is not None


def _handlers(old: ResourceSchema, new: ResourceSchema) -> Iterator[Change]:
    for name, handler in old.handlers.items():
        if name not in new.handlers:
            yield Change("handler-removed", BREAKING, f"the {name} handler was removed", ("handlers",), "keep it")
            continue
        added = sorted(set(new.handlers[name].permissions) - set(handler.permissions))
        if added:
            words = f"{name} needs {', '.join(added)} too"
            yield Change("permissions-added", RISKY, words, ("handlers", name, "permissions"), "update execution roles")
        if new.handlers[name].timeout_in_minutes < handler.timeout_in_minutes:
            words = f"{name} may take {new.handlers[name].timeout_in_minutes} minutes, and could take more before"
            yield Change("timeout-shortened", RISKY, words, ("handlers", name))
    for name in new.handlers:
        if name not in old.handlers:
            yield Change("handler-added", HARMLESS, f"a {name} handler was added", ("handlers", name))


def _tagging(old: ResourceSchema, new: ResourceSchema) -> Iterator[Change]:
    before, after = old.tagging, new.tagging
    for what, had, has in (
        ("tags", before.taggable, after.taggable),
        ("tags on create", before.tag_on_create, after.tag_on_create),
        ("changes of tags", before.tag_updatable, after.tag_updatable),
        ("system tags", before.system_tags, after.system_tags),
    ):
        if had and not has and before.declared:
            yield Change("tagging-removed", BREAKING, f"the type no longer takes {what}", ("tagging",), "keep it")
            break
    if before.declared and after.taggable and before.taggable and before.tag_property != after.tag_property:
        words = f'tags were in "{name_of(before.tag_property)}" and are in "{name_of(after.tag_property)}"'
        yield Change("tag-property", BREAKING, words, ("tagging",), "keep the property")


def _replacement(old: ResourceSchema, new: ResourceSchema) -> Iterator[Change]:
    if old.replacement_strategy != new.replacement_strategy:
        words = f"replacement was {old.replacement_strategy} and is {new.replacement_strategy}"
        yield Change("replacement-strategy", RISKY, words, ("replacementStrategy",))


_COMPARISONS: tuple[Callable[[ResourceSchema, ResourceSchema], Iterator[Change]], ...] = (
    _type_name,
    _identifiers,
    _mutability,
    _handlers,
    _tagging,
    _replacement,
)
