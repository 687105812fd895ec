"""Values that a language receives and returns when a project is created."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from formwork.model import TypeModel


class Question(Struct, frozen=True):
    """A question of `cfn init`: asked on a terminal with this text, and answered by the option `--name`.

    `default` is the value for an empty answer, None if one is required. A question that is not `asked` has a default
    that suits nearly all users, and can be answered by its option only.
    """

    name: str
    words: str
    default: str | None = None
    choices: tuple[str, ...] = ()
    asked: bool = True


class Toolchain(Struct, frozen=True):
    """The runtime and entry points of the handlers, for `.rpdk-config` and `template.yml`.

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


class Handlers(Struct, frozen=True, kw_only=True):
    """The input for generating the handlers of a new project.

    `schema` is the parsed document and `types` its model, `targets` the schemas of a hook's target types, `settings`
    what `.rpdk-config` keeps for the language. With `sample` they work, otherwise they are stubs that fail with a
    message.
    """

    type_name: str
    schema: Mapping[str, Any]
    types: TypeModel
    targets: Mapping[str, Mapping[str, Any]]
    sample: bool
    settings: Mapping[str, Any] = field(default_factory=dict)
