"""Generated templates: created from resources, changed, and read.

Source: the service's model and its user guide, "Create a template from scanned resources". A template that is being
made or changed can be neither changed nor deleted; five may be in the making at once.
"""

import re
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from formwork.aws.scope import Scope
from formwork.diagnostics.internal_errors import internal_error
from formwork.documents import parse_document
from formwork.durable import Work
from formwork.engine.engine import Engine
from formwork.iac_generator.composing import compose_resource, compose_template, new_logical_id
from formwork.iac_generator.discovery import named_identifier, read_resource
from formwork.iac_generator.records import GeneratedTemplate, TemplateResource, resource_key
from formwork.iac_generator.store import (
    count_templates,
    delete_template,
    find_template,
    get_template,
    insert_template,
    list_pending_templates,
    list_templates,
    write_template,
)
from formwork.provisioning.outcomes import Failed
from formwork.stacks.errors import StackError

WORKFLOW = "generated-template"
MOST_RESOURCES = 500
_MOST_TEMPLATES = 1000
_MOST_AT_ONCE = 5
_SEE_RESOURCES = "See template resources for details of the failure."
_LOGICAL_ID = re.compile(r"[A-Za-z0-9]{1,255}")


class WantedResource(Struct, frozen=True, kw_only=True):
    """A resource to add to a template; `logical_id` is None where the template chooses one."""

    type: str
    identifier: Mapping[str, str]
    logical_id: str | None = None


class TemplateChange(Struct, frozen=True, kw_only=True):
    """The changes of a request to a template; None leaves a setting as it is."""

    name: str | None = None
    add: Sequence[WantedResource] = ()
    remove: Sequence[str] = ()
    refresh: bool = False
    deletion_policy: str | None = None
    update_replace_policy: str | None = None


class GeneratedTemplates:
    """Generated templates over an engine's types; made before the work is launched.

    Every method raises StackError with the code of the service's exception for what the service refuses.
    """

    def __init__(self, engine: Engine, work: Work) -> None:
        self._engine = engine
        self._work = work
        work.register(WORKFLOW, self._run)

    def resume(self) -> None:
        """Start the work on templates that has not begun."""
        with self._engine.database.read() as connection:
            pending = list_pending_templates(connection)
        for identifier, revision in pending:
            self._start(identifier, revision)

    # -- requests

    def create(self, scope: Scope, change: TemplateChange, stack_name: str | None = None) -> GeneratedTemplate:
        """Begin to generate a template, from the one of a stack where `stack_name` names one."""
        stack = base = None
        if stack_name is not None:
            stack = self._engine.lookups.describe_stack(scope, stack_name).arn
            original = self._engine.lookups.current_deployment(scope, stack_name).original
            base = parse_document(original, name="template", short_tags=True).value
        now = self._engine.settings.now()
        made = GeneratedTemplate(
            id=str(uuid.uuid4()),
            scope=scope,
            name=change.name or "",
            created=now,
            updated=now,
            stack=stack,
            base=base,
            revision=1,
        )
        made = _with_policies(_with_added(made, change.add), change)
        with self._engine.database.begin() as connection:
            if find_template(connection, scope, made.name) is not None:
                raise _exists(made.name)
            count, busy = count_templates(connection, scope)
            if count >= _MOST_TEMPLATES:
                message = f"Limit for generated templates has been exceeded: {_MOST_TEMPLATES}"
                raise StackError(message, code="LimitExceededException")
            if busy >= _MOST_AT_ONCE:
                raise _too_many()
            try:
                insert_template(connection, made)
            except IntegrityError as error:
                raise _exists(made.name) from error
        self._start(made.id, made.revision)
        return made

    def update(self, scope: Scope, name: str, change: TemplateChange) -> GeneratedTemplate:
        """Begin to change a template."""
        with self._engine.database.begin() as connection:
            found = self._expect_idle(connection, scope, name)
            if change.name is not None and change.name != found.name:
                if find_template(connection, scope, change.name) is not None:
                    raise _exists(change.name)
                found = replace(found, name=change.name)
            changed = _with_policies(_with_added(_without(found, change.remove), change.add), change)
            if change.refresh:
                again = tuple(replace(each, status="PENDING", reason=None) for each in changed.resources)
                changed = replace(changed, resources=again)
            now = self._engine.settings.now()
            changed = replace(changed, status="UPDATE_PENDING", reason=None, updated=now, revision=changed.revision + 1)
            write_template(connection, changed)
        self._start(changed.id, changed.revision)
        return changed

    def delete(self, scope: Scope, name: str) -> None:
        """Delete a template."""
        with self._engine.database.begin() as connection:
            delete_template(connection, self._expect_idle(connection, scope, name).id)

    def describe(self, scope: Scope, name: str) -> GeneratedTemplate:
        """Return a template by its name or ARN."""
        with self._engine.database.read() as connection:
            return _expect(connection, scope, name)

    def list_templates(self, scope: Scope) -> list[GeneratedTemplate]:
        """Return the templates of an account and Region, the newest first."""
        with self._engine.database.read() as connection:
            return list_templates(connection, scope)

    @staticmethod
    def _expect_idle(connection: Connection, scope: Scope, name: str) -> GeneratedTemplate:
        found = _expect(connection, scope, name)
        if found.is_pending:
            raise _too_many()
        return found

    # -- the work

    def _start(self, identifier: str, revision: int) -> None:
        self._work.start(WORKFLOW, f"{identifier}/{revision}", identifier, revision)

    def _run(self, identifier: str, revision: int) -> None:
        self._work.step("generate", self._generate, identifier, revision)

    def _generate(self, identifier: str, revision: int) -> None:
        """Read the resources that are pending, one after another, and compose the template."""
        with self._engine.database.read() as connection:
            template = get_template(connection, identifier)
        if template is None or template.revision != revision or not template.is_pending:
            return
        template = self._write(replace(template, status=template.status.replace("_PENDING", "_IN_PROGRESS")))
        try:
            for each in template.resources:
                if each.status in {"PENDING", "IN_PROGRESS"}:
                    self._work.check()
                    template = self._write(_replaced(template, self._read(template.scope, each)))
            template = self._compose(template)
        except Exception as error:  # noqa: BLE001 - the boundary of background work: the template's status tells it
            template = replace(template, status="FAILED", reason=internal_error(error)[:256])
        self._write(replace(template, updated=self._engine.settings.now()))

    def _read(self, scope: Scope, resource: TemplateResource) -> TemplateResource:
        provisioner = self._engine.settings.types.find(scope, resource.type)
        if provisioner is None or "read" not in provisioner.schema.handlers:
            return replace(resource, status="FAILED", reason=f"Resource type {resource.type} is not supported")
        schema = provisioner.schema
        names = [".".join(path) for path in schema.primary_identifier]
        if sorted(names) != sorted(resource.identifier):
            reason = f"The identifier of a {resource.type} is [{', '.join(names)}]"
            return replace(resource, status="FAILED", reason=reason)
        asked = schema.parse_identifier("|".join(resource.identifier[name] for name in names))
        found = (
            Failed("NotFound", "the identifier is malformed") if asked is None else read_resource(provisioner, asked)
        )
        if isinstance(found, Failed):
            return replace(resource, status="FAILED", reason=f"{found.code}: {found.message}")
        shown = schema.without_write_only(dict(found))
        return replace(compose_resource(resource, schema, shown), identifier=named_identifier(schema, asked or {}))

    def _compose(self, template: GeneratedTemplate) -> GeneratedTemplate:
        if any(each.status == "FAILED" for each in template.resources):
            return replace(template, status="FAILED", reason=_SEE_RESOURCES)
        schemas = {}
        for name in {each.type for each in template.resources}:
            if (provisioner := self._engine.settings.types.find(template.scope, name)) is not None:
                schemas[name] = provisioner.schema
        return replace(template, status="COMPLETE", reason=None, body=compose_template(template, schemas))

    def _write(self, template: GeneratedTemplate) -> GeneratedTemplate:
        with self._engine.database.begin() as connection:
            write_template(connection, template)
        self._engine.settings.observer.changed()
        return template


def _replaced(template: GeneratedTemplate, resource: TemplateResource) -> GeneratedTemplate:
    resources = (resource if each.logical_id == resource.logical_id else each for each in template.resources)
    return replace(template, resources=tuple(resources))


def _with_added(template: GeneratedTemplate, wanted: Sequence[WantedResource]) -> GeneratedTemplate:
    """Return the template with more resources, PENDING.

    Raises:
        StackError: one is there already, a logical id is taken or malformed, or there are more than 500.
    """
    resources = list(template.resources)
    taken = {each.logical_id for each in resources} | set((template.base or {}).get("Resources", {}))
    known = {resource_key(each.type, each.identifier) for each in resources}
    for each in wanted:
        key = resource_key(each.type, each.identifier)
        if key in known:
            shown = ", ".join(f"{name}={value}" for name, value in each.identifier.items())
            raise StackError(f"Duplicate resource {each.type} [{shown}] in the generated template")
        logical_id = each.logical_id or new_logical_id(each.type, each.identifier, taken)
        if _LOGICAL_ID.fullmatch(logical_id) is None:
            raise StackError(f"Logical resource id {logical_id} is not alphanumeric")
        if logical_id in taken:
            raise StackError(f"Duplicate logical resource id {logical_id} in the generated template")
        known.add(key)
        taken.add(logical_id)
        resources.append(TemplateResource(type=each.type, identifier=dict(each.identifier), logical_id=logical_id))
    if len(resources) > MOST_RESOURCES:
        message = f"Limit for resources in a generated template has been exceeded: {MOST_RESOURCES}"
        raise StackError(message, code="LimitExceededException")
    return replace(template, resources=tuple(resources))


def _without(template: GeneratedTemplate, logical_ids: Sequence[str]) -> GeneratedTemplate:
    unknown = set(logical_ids) - {each.logical_id for each in template.resources}
    if unknown:
        raise StackError(f"Resources [{', '.join(sorted(unknown))}] are not in the generated template")
    kept = tuple(each for each in template.resources if each.logical_id not in logical_ids)
    return replace(template, resources=kept)


def _with_policies(template: GeneratedTemplate, change: TemplateChange) -> GeneratedTemplate:
    return replace(
        template,
        deletion_policy=change.deletion_policy or template.deletion_policy,
        update_replace_policy=change.update_replace_policy or template.update_replace_policy,
    )


def _expect(connection: Connection, scope: Scope, name: str) -> GeneratedTemplate:
    found = find_template(connection, scope, name)
    if found is None:
        raise StackError(f"Template {name} was not found", code="GeneratedTemplateNotFound", status=404)
    return found


def _exists(name: str) -> StackError:
    return StackError(f"Template with name {name} already exists", code="AlreadyExistsException")


def _too_many() -> StackError:
    message = (
        "No more than 5 generated templates can be in an InProgress or Pending status at one time, and a template in "
        "such a status cannot be updated or deleted."
    )
    return StackError(message, code="ConcurrentResourcesLimitExceeded", status=429)


def template_value(template: GeneratedTemplate) -> Mapping[str, Any]:
    """Return the template as it was last complete; {} where it has never been."""
    return template.body or {}
