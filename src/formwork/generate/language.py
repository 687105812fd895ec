"""What a language adds to a project; the rest (docs, roles, schema, config, inputs) is the same in all of them.

A language is a value with this interface. `generate/python` is one; a new one is a folder of its own and a line in
`languages.py`. Nothing imports this module when the toolkit runs: the interface is for type checkers and readers.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from formwork.generate.handlers import Handlers, Toolchain
from formwork.generate.plan import Plan
from formwork.model import TypeModel
from formwork.project import ExtensionKind


class Language(Protocol):
    """One language of handlers."""

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Names that no model may have, for `build_type_model`."""
        ...

    def toolchain(self, type_name: str, kind: ExtensionKind) -> Toolchain:
        """What to write into the config of a new project."""
        ...

    def plan_models(
        self, types: TypeModel, targets: Mapping[str, Mapping[str, Any]], *, aws_runtime: bool = False
    ) -> Plan:
        """The files that every `cfn generate` writes again: models, and those of a hook's targets.

        With `aws_runtime` they need AWS's handler library only.
        """
        ...

    def plan_handlers(self, handlers: Handlers) -> Plan:
        """The files that `cfn init` writes once: handlers, their tests, what builds and installs them."""
        ...
