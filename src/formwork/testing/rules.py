"""Guard rules as what a test registers: AWS's managed hook, activated under a name that their file suggests."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from formwork.extensions import ExtensionKind
from formwork.hooks.guard.rule_files import bundle_rules
from formwork.project import CONFIG_FILE
from formwork.registry.managed import GUARD_HOOK, PUBLISHER
from formwork.testing.registering import Extension

_RULES = ".guard"
_ROLE = "arn:aws:iam::123456789012:role/hooks"  # the server assumes none


def are_rules(given: Any) -> bool:
    """Return whether `given` is the path of a file of Guard rules, or of a folder of them that is not a project."""
    if not isinstance(given, (str, Path)):
        return False
    path = Path(given)
    if path.is_dir():
        return not (path / CONFIG_FILE).exists() and any(path.glob(f"*{_RULES}"))
    return path.suffix == _RULES


def rules_extension(path: Path) -> tuple[Extension, str]:
    """Return rules as an extension, whose package is the object with them, and the name of that object.

    Raises:
        BadInputError: a rule does not compile, or there are none.
        EnvironmentProblemError: the extra `guard` is not installed.
    """
    name, content = bundle_rules(path)
    return Extension(ExtensionKind.HOOK, _alias(path), lambda _entry_point: content), name


def _alias(path: Path) -> str:
    words = re.findall(r"[A-Za-z0-9]+", path.resolve().stem)
    name = "".join(word[0].upper() + word[1:] for word in words)[:59]
    return f"Private::Guard::{name if len(name) > 1 else f'{name}Rules'}"


def activate_rules(client: Any, alias: str) -> str:
    """Activate the managed hook under a name; return its ARN."""
    answer = client.activate_type(
        Type="HOOK", TypeName=GUARD_HOOK, PublisherId=PUBLISHER, TypeNameAlias=alias, ExecutionRoleArn=_ROLE
    )
    return str(answer["Arn"])


def rules_configuration(location: str, properties: Mapping[str, Any]) -> dict[str, Any]:
    """Return the configuration with which rules judge what is created and updated, and refuse what fails."""
    hook = {
        "HookInvocationStatus": "ENABLED",
        "FailureMode": "FAIL",
        "TargetOperations": ["RESOURCE"],
        "TargetFilters": {"Actions": ["CREATE", "UPDATE"]},  # what is deleted has no properties to judge
        "Properties": {"ruleLocation": location, **properties},
    }
    return {"CloudFormationConfiguration": {"HookConfiguration": hook}}
