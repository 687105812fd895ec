"""Names in Go: fields and types must begin with an upper-case letter to be seen by others."""

from collections.abc import Iterable

from formwork.extensions import package_name
from formwork.model.naming import as_identifier

# What a generated or hand-written file of the handlers' package defines beside the models.
RESERVED_MODEL_NAMES = frozenset(
    {
        "Configuration",
        "Create",
        "Delete",
        "Event",
        "List",
        "Model",
        "PreCreate",
        "PreDelete",
        "PreUpdate",
        "Read",
        "Request",
        "TypeConfiguration",
        "TypeName",
        "Update",
    }
)
# The method that every model with secrets has.
_RESERVED_FIELDS = frozenset({"String"})
# The names of the root and of the configuration, as the incumbent's Go projects have them.
_OWN = {"ResourceModel": "Model", "TypeConfigurationModel": "TypeConfiguration"}


def type_name(model: str) -> str:
    """The Go type of the model called `model`."""
    return _OWN.get(model, model)


def field_names(names: Iterable[str]) -> dict[str, str]:
    """A field for each property of one model, all different; names that Go takes as they are stay so."""
    names = list(names)
    fields: dict[str, str] = {}
    taken = set(_RESERVED_FIELDS)
    for name in sorted(names, key=lambda each: _exported(each) != each or each in taken):
        plain = _exported(name)
        candidate, number = plain, 1
        while candidate in taken:
            candidate = f"{plain}_" if number == 1 else f"{plain}_{number}"
            number += 1
        fields[name] = candidate
        taken.add(candidate)
    return {name: fields[name] for name in names}


def additional_field(fields: Iterable[str]) -> str:
    """The field that keeps the properties that the schema allows and doesn't name."""
    taken = set(fields)
    name = "Additional"
    while name in taken:
        name += "_"
    return name


def _exported(name: str) -> str:
    identifier = as_identifier(name).lstrip("_") or "X"
    return f"X{identifier}" if identifier[0].isdigit() else identifier[0].upper() + identifier[1:]


def target_package(target: str) -> str:
    """`aws_s3_bucket`: the package with a target's models."""
    name = package_name(target)
    return f"x{name}" if name[:1].isdigit() else name


def target_type(target: str) -> str:
    """`AwsS3Bucket`: the model of a target's properties."""
    return _exported("".join(each[:1].upper() + each[1:].lower() for each in target.split("::")))
