"""From what read handlers answer to the text of a generated template."""

import copy
import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from formwork.iac_generator.records import GeneratedTemplate, TemplateResource
from formwork.iac_generator.relations import Related, RelationIndex
from formwork.iac_generator.write_only import write_only_parameters
from formwork.schema import ResourceSchema

_MOST_NAME = 255
_POLICIES = {"DELETE": "Delete", "RETAIN": "Retain"}
_VERSION = "2010-09-09"


def compose_resource(resource: TemplateResource, schema: ResourceSchema, model: Mapping[str, Any]) -> TemplateResource:
    """Return a resource with its part of the template, the parameters that it needs, and the warnings about it."""
    properties = copy.deepcopy(dict(schema.without_write_only(schema.without_read_only(dict(model)))))
    parameters, warnings = write_only_parameters(schema, resource.logical_id)
    for each in parameters:
        place = properties
        for step in each.path[:-1]:
            place = place.setdefault(step, {})
        place[each.path[-1]] = {"Ref": each.name}
    return replace(
        resource,
        status="COMPLETE",
        reason=None,
        warnings=warnings,
        body={"Type": resource.type, "Properties": properties},
        parameters={each.name: dict(each.declaration) for each in parameters},
        model=dict(model),
    )


def compose_template(template: GeneratedTemplate, schemas: Mapping[str, ResourceSchema]) -> dict[str, Any]:
    """Return the template: the base with the resources, which refer to each other where their models do."""
    base = copy.deepcopy(dict(template.base or {}))
    resources = dict(base.get("Resources", {}))
    parameters = dict(base.get("Parameters", {}))
    policies = {
        "UpdateReplacePolicy": _POLICIES[template.update_replace_policy],
        "DeletionPolicy": _POLICIES[template.deletion_policy],
    }
    bodies = _referring(template.resources, schemas)
    for each in template.resources:
        body = bodies[each.logical_id]
        resources[each.logical_id] = {"Type": each.type, **policies, "Properties": body}
        parameters |= each.parameters
    metadata = {**base.get("Metadata", {}), "AWSToolsMetrics": {"IaC_Generator": template.arn}}
    found = {"AWSTemplateFormatVersion": _VERSION, **base, "Metadata": metadata}
    if parameters:
        found["Parameters"] = parameters
    return {**found, "Resources": resources}


def _referring(resources: Sequence[TemplateResource], schemas: Mapping[str, ResourceSchema]) -> dict[str, Any]:
    """Return the properties by logical id, with `Ref` and `Fn::GetAtt` in place of texts that name other resources.

    A reference that would close a circle stays the text.
    """
    known = [each for each in resources if each.type in schemas]
    related = [Related(schemas[each.type], each.model) for each in known]
    index = RelationIndex(related)
    bodies = {each.logical_id: copy.deepcopy(each.body.get("Properties", {})) for each in resources}
    needed: dict[int, set[int]] = {number: set() for number in range(len(known))}
    for number, each in enumerate(known):
        for path, value, other in index.references(number):
            if other not in needed[number] and _reaches(needed, other, number):
                continue
            attribute = related[other].names()[value]
            named = known[other].logical_id
            call = {"Ref": named} if attribute is None else {"Fn::GetAtt": [named, attribute]}
            if _put(bodies[each.logical_id], path, value, call):
                needed[number].add(other)
    return bodies


def _reaches(needed: Mapping[int, set[int]], start: int, goal: int) -> bool:
    waiting, seen = [start], set[int]()
    while waiting:
        here = waiting.pop()
        if here == goal:
            return True
        if here not in seen:
            seen.add(here)
            waiting += needed[here]
    return False


def _put(value: Any, path: Sequence[str], text: str, call: Mapping[str, Any]) -> bool:
    """Replace `text` at a property path, which goes through every item of an array; return whether it was there."""
    if not path:
        return False
    step, rest = path[0], path[1:]
    match value:
        case dict() if step in value:
            if rest or value[step] != text:
                return bool(rest) and _put(value[step], rest, text, call)
            value[step] = dict(call)
            return True
        case list():
            done = [_put_item(value, number, rest, text, call) for number in range(len(value))]
            return any(done)
        case _:
            return False


def _put_item(items: list[Any], number: int, rest: Sequence[str], text: str, call: Mapping[str, Any]) -> bool:
    if rest:
        return _put(items[number], rest, text, call)
    if items[number] != text:
        return False
    items[number] = dict(call)
    return True


def new_logical_id(type_name: str, identifier: Mapping[str, str], taken: set[str]) -> str:
    """Return a logical id in the form of AWS's, such as S3BucketMybucket: service, resource, the identifier's end."""
    _, _, kind = type_name.partition("::")
    last = re.split(r"[:/]", next(iter(identifier.values()), "").rstrip("/"))[-1]
    name = "".join(re.findall(r"[A-Za-z0-9]+", f"{kind}{last}"))[: _MOST_NAME - 4]
    found, number = name, 0
    while found in taken:
        number += 1
        found = f"{name}{number:02}"
    return found
