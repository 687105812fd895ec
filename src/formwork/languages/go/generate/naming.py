"""Names in Go: exported fields and types begin with an upper-case letter."""

from collections.abc import Iterable

from formwork.extensions import package_name
from formwork.model.naming import as_identifier

# Names that generated or hand-written files of the handlers' package define beside the models.
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
# The method of each model with secrets.
_RESERVED_FIELDS = frozenset({"String"})
# The names of the root and of the configuration in projects of AWS's plugin for Go.
_OWN = {"ResourceModel": "Model", "TypeConfigurationModel": "TypeConfiguration"}


def type_name(model: str) -> str:
    """Return the Go type for the model `model`."""
    return _OWN.get(model, model)


def field_names(names: Iterable[str]) -> dict[str, str]:
    """Return a unique field for each property of a model; names that are valid in Go stay the same."""
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
    """Return the field for properties that the schema allows but does not name."""
    taken = set(fields)
    name = "Additional"
    while name in taken:
        name += "_"
    return name


def _exported(name: str) -> str:
    identifier = as_identifier(name).lstrip("_") or "X"
    return f"X{identifier}" if identifier[0].isdigit() else identifier[0].upper() + identifier[1:]


def target_package(target: str) -> str:
    """Return the package of a target's models, such as `aws_s3_bucket`."""
    name = package_name(target)
    return f"x{name}" if name[:1].isdigit() else name


def target_type(target: str) -> str:
    """Return the name of the model of a target's properties, such as `AwsS3Bucket`."""
    return _exported("".join(each[:1].upper() + each[1:].lower() for each in target.split("::")))
