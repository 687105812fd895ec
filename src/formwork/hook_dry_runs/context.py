"""What a template is prepared with where nothing is to be deployed: every type exists, stored values are unknown.

Types are not looked up: whether a template can be deployed is for the engine to say, not for hooks.
"""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.aws.stored_values import StoredParameter
from formwork.documents import Document
from formwork.preparation.dependencies import TransformCall
from formwork.preparation.transforms.serverless import SERVERLESS, translate_serverless
from formwork.provisioning import HandlerCall
from formwork.provisioning.outcomes import Outcome
from formwork.provisioning.provisioner import Provisioner
from formwork.schema import ResourceSchema, load_resource_schema
from formwork.stacks.errors import ProcessingError
from formwork.template import Template, is_list_type
from formwork.template.evaluation import UNKNOWN

_STORED_TYPE = "AWS::SSM::Parameter::Value<"


def _any_schema() -> ResourceSchema:
    value = {
        "typeName": "Any::Resource::Type",
        "description": "Any type.",
        "properties": {"Id": {"type": "string"}},
        "primaryIdentifier": ["/properties/Id"],
        "additionalProperties": False,
    }
    schema = load_resource_schema(Document.of_value(value, "any type")).schema
    assert schema is not None
    return schema


class _AnyType(Struct, frozen=True):
    """A provisioner that stands for any type; it is never called."""

    schema: ResourceSchema
    version: str | None = None
    note: str | None = None

    def invoke(self, call: HandlerCall) -> Outcome:
        """Raise AssertionError: nothing is provisioned."""
        raise AssertionError(f"{call.action} of {call.logical_id}: nothing is provisioned")


class AnyTypes(Struct, frozen=True):
    """A `TypeCatalogue` in which every type can be provisioned; `modules` gives the fragments of modules."""

    modules: Callable[[str], Template | None]
    _any: Provisioner = field(default_factory=lambda: _AnyType(_any_schema()))

    def find(self, scope: Scope, type_name: str, version: str | None = None) -> Provisioner | None:
        """Return a provisioner that stands for any type."""
        del scope, type_name, version
        return self._any

    def find_module(self, scope: Scope, type_name: str) -> Template | None:
        """Return a module's fragment; None for an unknown module."""
        del scope
        return self.modules(type_name)

    def explain(self, scope: Scope, type_name: str) -> str | None:
        """Return None: no type is missing."""
        del scope, type_name
        return None


class UnreadValues(Struct, frozen=True):
    """`DynamicReferences` that are not looked up: references stay as they are written."""

    template: Template
    given: Mapping[str, str]

    def parameter(self, scope: Scope, name: str) -> StoredParameter | None:
        """Return a parameter of the type that the template's own parameter needs; its value is never used."""
        del scope
        lists = any(
            is_list_type(each) and name in {self.given.get(each.name), each.default}
            for each in self.template.parameters.values()
            if each.type.startswith(_STORED_TYPE)
        )
        return StoredParameter("", "StringList" if lists else "String", 1)

    def parameter_exists(self, scope: Scope, name: str) -> bool:
        """Return True: Parameter Store is not asked."""
        del scope, name
        return True

    def pin(self, scope: Scope, properties: Any) -> Any:
        """Return the properties as they are."""
        del scope
        return properties

    def resolve(self, scope: Scope, properties: Any) -> Any:
        """Return the properties as they are."""
        del scope
        return properties


class LocalTransforms:
    """`Transforms` that need no service: AWS::Serverless. Other macros are functions and objects of one."""

    def run(self, scope: Scope, call: TransformCall) -> Any:
        """See `Transforms.run`."""
        if call.name == SERVERLESS:
            known = {name: value for name, value in call.values.items() if value is not UNKNOWN}
            return translate_serverless(scope, replace(call, values=known))
        raise ProcessingError(
            f"the macro {call.name} is not run here: create a change set, which runs it, and try the hooks on that "
            "(--change-set)"
        )


def is_stored(template: Template, name: str) -> bool:
    """Return whether a parameter's value is read from Parameter Store."""
    return template.parameters[name].type.startswith(_STORED_TYPE)
