"""Models of resources as requests give them: parsed within bounds, patched, and checked against the type.

Source: the service's user guide, "Updating a resource" (the patch works on what the read handler answers, and may touch
neither createOnly nor readOnly properties); RFC 6902; the texts of a model's faults as CloudFormation words them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from formwork.cloud_control.refusals import invalid, refused
from formwork.diagnostics import BadInputError
from formwork.documents import DocumentFormat, parse_document
from formwork.provisioning import property_faults
from formwork.provisioning.property_faults import PropertyFault
from formwork.schema import ResourceSchema


def parse_object(text: str, member: str) -> dict[str, Any]:
    """Parse the JSON object in a member of a request.

    Raises:
        StackError: it is none.
    """
    value = _parse(text, member)
    if not isinstance(value, dict):
        raise invalid(f"{member} is not a JSON object")
    return value


def apply_patch(schema: ResourceSchema, model: Mapping[str, Any], patch: str) -> dict[str, Any]:
    """Apply a JSON Patch to a model.

    Raises:
        StackError: the patch can't be applied, or changes what an update can't.
    """
    import jsonpatch  # noqa: PLC0415 - updates only
    import jsonpointer  # noqa: PLC0415 - the same

    operations = _parse(patch, "PatchDocument")
    if not isinstance(operations, list):
        raise invalid("Invalid patch update: PatchDocument is not a JSON array of operations")
    try:
        desired = jsonpatch.apply_patch(dict(model), operations)
    except (
        jsonpatch.JsonPatchException,
        jsonpointer.JsonPointerException,
        AttributeError,
        KeyError,
        TypeError,
        ValueError,
    ) as error:
        raise invalid(f"Invalid patch update: {error}") from error
    if not isinstance(desired, dict):
        raise invalid("Invalid patch update: a resource is a JSON object")
    if changed := _changed(schema.create_only, model, desired):
        message = f"Invalid patch update: createOnlyProperties [{changed}] cannot be updated"
        raise refused("NotUpdatableException", message)
    if changed := _changed(schema.read_only, model, desired):
        raise invalid(f"Invalid patch update: readOnlyProperties [{changed}] cannot be updated")
    return desired


def model_faults(schema: ResourceSchema, desired: Mapping[str, Any], *, creating: bool) -> str | None:
    """Return what is wrong with a desired model, in the service's wording; None if it is valid.

    Without `creating` the model is based on a read, so absent writeOnly properties are accepted.
    """
    found = property_faults.model_faults(schema, desired)
    faults = [each.pointed for each in found if creating or not _is_hidden(schema, each)]
    if creating and (given := _changed(schema.read_only, {}, desired)):
        faults.append(f"#: readOnlyProperties [{given}] cannot be specified")
    if not faults:
        return None
    counted = [f"#: {len(faults)} schema violations found", *faults] if len(faults) > 1 else faults
    told = "\n".join(counted)
    return f"Model validation failed ({told})"


def check_list_model(schema: ResourceSchema, model: Mapping[str, Any]) -> None:
    """Check that the model of a list request has the properties that the handler's `handlerSchema` requires.

    Raises:
        StackError: something is missing.
    """
    handler = schema.value.get("handlers", {}).get("list", {})
    required: Sequence[str] = handler.get("handlerSchema", {}).get("required", ())
    if missing := [each for each in required if each not in model]:
        raise invalid(
            f"Missing or invalid ResourceModel property in {schema.type_name} list handler request input."
            f"Required property: ({', '.join(missing)})"
        )


def identifier_model(schema: ResourceSchema, identifier: str) -> dict[str, Any]:
    """Return the primary identifier as a model."""
    return dict(schema.parse_identifier(identifier) or {})


def expect_identifier(schema: ResourceSchema, identifier: str) -> str:
    """Return the identifier in its canonical form, from either form.

    Raises:
        StackError: it is none of the type's.
    """
    model = schema.parse_identifier(identifier)
    joined = None if model is None else schema.identifier_of(model)
    if joined is None:
        names = ", ".join("/properties/" + "/".join(each) for each in schema.primary_identifier)
        raise invalid(f"Identifier {identifier} is not valid for identifier [{names}]")
    return joined


def _parse(text: str, member: str) -> Any:
    try:
        return parse_document(text, name=member, format=DocumentFormat.JSON).value
    except BadInputError as error:
        raise invalid(f"{member} is not valid JSON: {error}") from error


def _changed(paths: Iterable[Sequence[str]], before: Mapping[str, Any], after: Mapping[str, Any]) -> str:
    """Return the pointers of the paths at which two models differ."""
    found = [each for each in paths if "*" not in each and _at(before, each) != _at(after, each)]
    return ", ".join("/properties/" + "/".join(each) for each in found)


def _at(model: Any, path: Sequence[str]) -> Any:
    for step in path:
        model = model.get(step) if isinstance(model, Mapping) else None
    return model


def _is_hidden(schema: ResourceSchema, fault: PropertyFault) -> bool:
    """Return whether a missing property is write-only."""
    missing = fault.words.startswith("required key")
    return missing and (*map(str, fault.path), str(fault.name)) in schema.write_only
