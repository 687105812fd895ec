"""What a language adds to a project; the rest (docs, roles, schema, config, inputs) is the same in all of them.

A language is a value with this interface. `generate/python` is one; a new one of ours is a folder of its own and a
line in `languages.py`, one of somebody else's an entry point (docs/how-to/add-a-language.md). `settings` are always
those that `.rpdk-config` keeps, made of the answers to the language's questions. A language whose models depend on
files of the author's has one method more, `settings_of_files(root)`: what of the project's folder `plan_models` is to
find in its settings. Nothing imports this module when the toolkit runs: the interface is for type checkers and readers.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from formwork.generate.handlers import Handlers, Question, Toolchain
from formwork.generate.plan import Plan
from formwork.model import TypeModel
from formwork.project import ExtensionKind


class Language(Protocol):
    """One language of handlers."""

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Names that no model may have, for `build_type_model`."""
        ...

    def questions(self, type_name: str, kind: ExtensionKind) -> Sequence[Question]:
        """What `cfn init` asks for beside what it asks for every language."""
        ...

    def settings(self, type_name: str, kind: ExtensionKind, answers: Mapping[str, str]) -> Mapping[str, Any]:
        """The answers, by the questions' names, as `.rpdk-config` keeps them.

        Raises:
            UsageError: an answer can't be used.
        """
        ...

    def toolchain(self, type_name: str, kind: ExtensionKind, settings: Mapping[str, Any]) -> Toolchain:
        """What to write into the config and the template of a new project."""
        ...

    def plan_models(
        self, types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
    ) -> Plan:
        """The files that every `cfn generate` writes again: models, and those of a hook's targets.

        Where the settings say `aws_runtime`, they need AWS's handler library only.
        """
        ...

    def plan_handlers(self, handlers: Handlers) -> Plan:
        """The files that `cfn init` writes once: handlers, their tests, what builds and installs them."""
        ...
