"""The questions of `cfn init` for a Java project."""

from collections.abc import Mapping, Sequence
from typing import Any

from formwork.diagnostics import UsageError
from formwork.extensions import ExtensionKind
from formwork.generate.handlers import Question
from formwork.languages.java.generate.naming import default_namespace, is_package

STYLES = ("default", "guided_aws")
VERSIONS = ("17", "21")


def java_questions(type_name: str, kind: ExtensionKind) -> Sequence[Question]:
    """Return the questions about the package's name, the style of the handlers, and the version of Java."""
    del kind
    package = ".".join(default_namespace(type_name)) if "::" in type_name else None
    return (
        Question("namespace", "Package of the classes", package),
        Question("codegen_model", "Style of the handlers: plain, or chains of calls to AWS", STYLES[0], STYLES),
        Question("java_version", "Version of Java that the handlers run on", VERSIONS[0], VERSIONS, asked=False),
    )


def java_settings(type_name: str, answers: Mapping[str, str]) -> Mapping[str, Any]:
    """Return the answers in the form of `.rpdk-config`.

    Raises:
        UsageError: the package's name is not valid.
    """
    namespace = answers.get("namespace") or ".".join(default_namespace(type_name))
    if not is_package(namespace):
        raise UsageError(f'"{namespace}" is not a name of a Java package', hint="such as com.acme.store.thing")
    style = answers.get("codegen_model") or STYLES[0]
    if style not in STYLES:
        raise UsageError(f'unknown style of handlers "{style}"', hint=f"one of {', '.join(STYLES)}")
    version = answers.get("java_version") or VERSIONS[0]
    kept = {} if version == VERSIONS[0] else {"java_version": version}
    return {"namespace": namespace.split("."), "codegen_template_path": style, **kept}
