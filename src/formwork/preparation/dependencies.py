"""What preparing a template asks of others: types and modules, stored values, macros."""

from collections.abc import Mapping
from typing import Any, Protocol

from msgspec import Struct, field

from formwork.aws.scope import Scope
from formwork.aws.stored_values import StoredParameter
from formwork.provisioning import Provisioners
from formwork.template import Template
from formwork.template.evaluation import Environment


class TypeCatalogue(Provisioners, Protocol):
    """The types of each account and Region that can be provisioned, and the modules."""

    def find_module(self, scope: Scope, type_name: str) -> Template | None:
        """Return a module's fragment; None for an unknown module."""
        ...

    def explain(self, scope: Scope, type_name: str) -> str | None:
        """Return why a type cannot be provisioned, where there is more to say than that it is not registered."""
        ...


class DynamicReferences(Protocol):
    """The values of Parameter Store and Secrets Manager. Every method raises StackError for what cannot be read."""

    def parameter(self, scope: Scope, name: str) -> StoredParameter | None:
        """Return a parameter of Parameter Store; None where it has none of this name."""
        ...

    def parameter_exists(self, scope: Scope, name: str) -> bool:
        """Return whether Parameter Store has a parameter, or True where no store is configured."""
        ...

    def pin(self, scope: Scope, properties: Any) -> Any:
        """Return a copy of properties whose references to Parameter Store name the current versions."""
        ...

    def resolve(self, scope: Scope, properties: Any) -> Any:
        """Return a copy of evaluated properties with the values in place of references; secret ones as `Secret`."""
        ...


class TransformCall(Struct, frozen=True, kw_only=True):
    """One run of a macro.

    `fragment` is the template without its section Transform, or the siblings of a `Fn::Transform`; `values` are the
    template's parameters with the values that they have.
    """

    name: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    fragment: Any = None
    values: Mapping[str, Any] = field(default_factory=dict)


class Transforms(Protocol):
    """Macros: those that CloudFormation hosts and those of users."""

    def run(self, scope: Scope, call: TransformCall) -> Any:
        """Return the fragment that replaces the call's.

        Raises:
            ProcessingError: the macro is not found, or failed.
        """
        ...


class TemplateContext(Struct, frozen=True):
    """The stack that a template is prepared for, and the services that the preparation uses.

    `environment` has the pseudo parameters; the parameters' values are added to it.
    """

    scope: Scope
    environment: Environment
    types: TypeCatalogue
    references: DynamicReferences
    transforms: Transforms

    def find_module(self, type_name: str) -> Template | None:
        """Return a module's fragment; None for an unknown module."""
        return self.types.find_module(self.scope, type_name)
