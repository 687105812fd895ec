"""What a language is told when a project is new."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from formwork.model import TypeModel


@dataclass(frozen=True, slots=True)
class Question:
    """Something that `cfn init` asks: on a terminal in these words, elsewhere by the option `--name`.

    `default` is what an empty answer means; None where there is none. One that is not `asked` has a default that
    suits nearly everybody, and can be answered by an option only.
    """

    name: str
    words: str
    default: str | None = None
    choices: tuple[str, ...] = ()
    asked: bool = True


@dataclass(frozen=True, slots=True)
class Toolchain:
    """How `.rpdk-config` and `template.yml` name what runs the handlers.

    `handlers` is the file or folder that they are written in and `unit_tests` a sentence that says how their unit tests
    are run, both for the README.
    `test_variables` are environment variables of TestEntrypoint, where one program serves both functions.
    """

    runtime: str
    entrypoint: str
    test_entrypoint: str
    code_uri: str
    executable_entrypoint: str | None = None
    handlers: str = "src/"
    unit_tests: str = "Run the unit tests."
    test_variables: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Handlers:
    """What the handlers of a new project are for.

    `schema` is the parsed document and `types` its model, `targets` the schemas of a hook's target types, `settings`
    what `.rpdk-config` keeps for the language. With `sample` they work, otherwise they are stubs that say so.
    """

    type_name: str
    schema: Mapping[str, Any]
    types: TypeModel
    targets: Mapping[str, Mapping[str, Any]]
    sample: bool
    settings: Mapping[str, Any] = field(default_factory=dict)
