"""What a language adds to a project; the rest (docs, roles, schema, config, inputs) is the same in all of them.

A language is a value with this interface. `generate/python` is one; a new one is a folder of its own and a line in
`languages.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from formwork.generate.plan import Plan
from formwork.model import TypeModel
from formwork.project import ExtensionKind


@dataclass(frozen=True, slots=True)
class Toolchain:
    """How `.rpdk-config` and `template.yml` name what runs the handlers."""

    runtime: str
    entrypoint: str
    test_entrypoint: str
    code_uri: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Handlers:
    """What the handlers of a new project are for.

    `schema` is the parsed document and `types` its model, `targets` the schemas of a hook's target types. With
    `sample` they work, otherwise they are stubs that say so.
    """

    type_name: str
    schema: Mapping[str, Any]
    types: TypeModel
    targets: Mapping[str, Mapping[str, Any]]
    sample: bool


class Language(Protocol):
    """One language of handlers."""

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Names that no model may have, for `build_type_model`."""
        ...

    def toolchain(self, type_name: str, kind: ExtensionKind) -> Toolchain:
        """What to write into the config of a new project."""
        ...

    def plan_models(self, types: TypeModel, targets: Mapping[str, Mapping[str, Any]]) -> Plan:
        """The files that every `cfn generate` writes again: models, and those of a hook's targets."""
        ...

    def plan_handlers(self, handlers: Handlers) -> Plan:
        """The files that `cfn init` writes once: handlers, their tests, what builds and installs them."""
        ...
