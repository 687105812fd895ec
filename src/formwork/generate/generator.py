"""The interface of a language for generation: the `generator` of a `formwork.languages.interface.Language`.

Documentation, roles, schema, configuration and inputs are the same in all languages and come from this package.
`settings` are always those that `.rpdk-config` keeps, made of the answers to the language's questions.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from formwork.extensions import ExtensionKind
from formwork.generate.handlers import Handlers, Question, Toolchain
from formwork.generate.plan import Plan
from formwork.model import TypeModel
from formwork.project import Project


class LanguageGenerator(Protocol):
    """Generates projects in one language."""

    @property
    def reserved_model_names(self) -> frozenset[str]:
        """Names that no model may have, for `build_type_model`."""
        ...

    def questions(self, type_name: str, kind: ExtensionKind) -> Sequence[Question]:
        """Return the questions of `cfn init` that are specific to this language."""
        ...

    def settings(self, type_name: str, kind: ExtensionKind, answers: Mapping[str, str]) -> Mapping[str, Any]:
        """Return the answers, by the questions' names, as `.rpdk-config` keeps them.

        Raises:
            UsageError: an answer can't be used.
        """
        ...

    def toolchain(self, type_name: str, kind: ExtensionKind, settings: Mapping[str, Any]) -> Toolchain:
        """Return runtime and entry points, for the config and the template of a new project."""
        ...

    def plan_handlers(self, handlers: Handlers) -> Plan:
        """Plan the files that `cfn init` writes once: handlers, their tests, and their build files."""
        ...

    def plan_models(
        self, types: TypeModel, targets: Mapping[str, Mapping[str, Any]], settings: Mapping[str, Any]
    ) -> Plan:
        """Plan the files that every `cfn generate` writes again: models of the type and of a hook's targets.

        Where the settings contain `aws_runtime`, they need AWS's handler library only.
        """
        ...

    def settings_of_files(self, root: Path) -> Mapping[str, Any]:
        """Return settings for `plan_models` that are derived from files in the project's folder `root`."""
        ...

    def remarks(self, project: Project, written: Mapping[str, str]) -> Sequence[str]:
        """Return lines for the user about the files, path → text, that `cfn generate` has written or changed."""
        ...
