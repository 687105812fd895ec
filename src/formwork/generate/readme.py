"""The README of a new project: a table of its files, and the steps to a registered type."""

from fnmatch import fnmatchcase

from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.handlers import Toolchain
from formwork.generate.plan import Plan, Policy
from formwork.generate.templates import TEMPLATES, render_template

# Pattern of paths → description; the first match counts, and every file of a project has one.
_MEANINGS = {
    ".formwork/*": "JSON schemas for editors",
    ".rpdk-config": "the project's type and language",
    "template.yml": "the functions, for running them on this machine",
    "target-schemas/*": "the schemas of the hook's target types",
    "inputs/*": "inputs of the contract tests",
    "src/*/models.py": "the types of the schema in Python",
    "src/*/formwork_models/*": "support code of the models for AWS's handler library",
    "src/*/target_models/*": "the types of the targets in Python",
    "src/models.ts": "the types of the schema in TypeScript",
    "src/target-models/*": "the types of the targets in TypeScript",
    "src/formwork/*": "the handler library",
    "target/loaded-target-schemas/*": "the schemas of the targets, as the handlers' jar has them",
    "target/*": "the types of the schema in Java, and what connects the handlers with AWS's runtime",
    "src/test/java/*": "unit tests of the handlers",
    "src/main/resources/*": "configuration of logging",
    "src/*": "the handlers",
    "cmd/main.go": "the program that Lambda starts",
    "cmd/*/model.go": "the types of the schema in Go",
    "cmd/*/config.go": "the names that the handlers use",
    "cmd/*": "the handlers",
    "internal/cfn/*": "Formwork's runtime for Go",
    "internal/targets/*": "the types of the targets in Go",
    "go.mod": "the Go module",
    "[Mm]ake*": "build file for AWS's own cfn",
    "tests/test_acceptance.py": "tests in stacks",
    "tests/*": "unit tests of the handlers",
    "docs/*": "documentation for users of the type",
    "*-role.yaml": "the role that CloudFormation assumes to run the handlers",
    "*-configuration.json": "the schema of the type configuration",
    "pom.xml": "Maven's build of the handlers and their dependencies",
    "lombok.config": "settings of Lombok, which generates accessors and builders",
    "requirements.txt": "what the handlers need",
    "pytest.ini": "where the unit tests are",
    "package.json": "dependencies and build of the handlers",
    "package-lock.json": "which versions of it",
    "tsconfig.json": "settings of the compiler",
    ".npmrc": "settings of npm",
    ".vscode/*": "which schema VS Code checks",
    ".idea/*": "which schema PyCharm checks",
    ".gitignore": "files that git ignores",
    "*.json": "the schema",
}


def render_readme(kind: ExtensionKind, type_name: str, plan: Plan, toolchain: Toolchain, *, sample: bool) -> str:
    """Return the README of a project with the files of `plan`."""
    what = "hook" if kind is ExtensionKind.HOOK else "resource type"
    intro = f"A CloudFormation {what}."
    if sample:
        intro += " Its handlers work as they are: run `cfn test`, then replace them one by one."
    words = {
        "type_name": type_name,
        "intro": intro,
        "kind": what,
        "files": "\n".join(_rows(plan)),
        "schema_file": f"{hyphenated_name(type_name)}.json",
        "handlers": toolchain.handlers,
        "unit_tests": toolchain.unit_tests,
    }
    return render_template(TEMPLATES / "readme.md.txt", words)


def _rows(plan: Plan) -> list[str]:
    rows: dict[str, str] = {}
    for pattern, meaning in _MEANINGS.items():
        for path, file in plan.items():
            if path in rows or not fnmatchcase(path, pattern):
                continue
            rows[path] = f"{meaning} | {'`cfn generate`' if file.policy is Policy.MANAGED else 'you'}"
    # One row per folder whose files have the same description.
    grouped: dict[str, list[str]] = {}
    for path, text in rows.items():
        grouped.setdefault(text, []).append(path)
    return [f"| {', '.join(f'`{each}`' for each in _shortened(paths))} | {text} |" for text, paths in grouped.items()]


def _shortened(paths: list[str]) -> list[str]:
    folder = min((each.rpartition("/")[0] for each in paths), key=len)
    together = len(paths) > 1 and folder and all(each.startswith(f"{folder}/") for each in paths)
    return [f"{folder}/"] if together else paths
