"""What a click does, as lines for a terminal or a program: `cfn`, the AWS CLI, boto3."""

import json
import re
import shlex
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from formwork.aws.scope import Scope

_FILES = {"TemplateBody": "template.yaml", "StackPolicyBody": "policy.json"}
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def hyphenated(name: str) -> str:
    """Return an operation or a member as the AWS CLI spells it."""
    return _WORD.sub("-", name).lower()


class EquivalentCall(Struct, frozen=True):
    """A call of an operation of the API at the address `api`, as lines that do the same."""

    scope: Scope
    api: str
    operation: str
    members: Mapping[str, Any]
    service: str = "cloudformation"

    def lines(self, cfn: str | None) -> list[tuple[str, str]]:
        """Return the lines by name; `cfn` is the command of ours, None where there is none.

        Long texts, such as templates, are named by a file.
        """
        ours = [] if cfn is None else [("cfn", cfn)]
        return [*ours, ("AWS CLI", self._aws()), ("boto3", self._boto3())]

    def _aws(self) -> str:
        words = ["aws", self.service, hyphenated(self.operation)]
        words += ["--endpoint-url", self.api, "--region", self.scope.region]
        for name, value in self.members.items():
            option = f"--{hyphenated(name)}"
            match value:
                case True:
                    words.append(option)
                case False:
                    words.append(f"--no-{hyphenated(name)}")
                case str() if name in _FILES:
                    words += [option, f"file://{_FILES[name]}"]
                case str() | int() | float():
                    words += [option, str(value)]
                case list() if all(isinstance(each, str) for each in value):
                    words += [option, *value]
                case _:
                    words += [option, json.dumps(value, separators=(",", ":"))]
        return shlex.join(words)

    def _boto3(self) -> str:
        client = f'boto3.client("{self.service}", endpoint_url="{self.api}", region_name="{self.scope.region}")'
        method = hyphenated(self.operation).replace("-", "_")
        given = [
            f"{name}=open({_FILES[name]!r}).read()" if name in _FILES else f"{name}={value!r}"
            for name, value in self.members.items()
        ]
        return f"{client}.{method}({', '.join(given)})"


def cfn_line(*words: str, scope: Scope) -> str:
    """Return a command of ours for the server of this machine."""
    return shlex.join(["cfn", *words, "--local", "--region", scope.region])
