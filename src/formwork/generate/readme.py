"""The README of a new project: which file is what, and the way from here to a registered type."""

from fnmatch import fnmatchcase

from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.generate.handlers import Toolchain
from formwork.generate.plan import Plan, Policy
from formwork.generate.templates import TEMPLATES, render_template

# Pattern of paths → what stands there; the first match counts, and every file of a project has one.
_MEANINGS = {
    ".formwork/*": "what a schema may say, for editors",
    ".rpdk-config": "what this project develops, and in which language",
    "template.yml": "the functions, for running them on this machine",
    "target-schemas/*": "the schemas of the types that the hook looks at",
    "inputs/*": "what the contract tests create and update with",
    "src/*/models.py": "the types of the schema in Python",
    "src/*/formwork_models/*": "what models need where the handler library is AWS's",
    "src/*/target_models/*": "the types of the targets in Python",
    "src/models.ts": "the types of the schema in TypeScript",
    "src/target-models/*": "the types of the targets in TypeScript",
    "src/formwork/*": "the handler library",
    "target/loaded-target-schemas/*": "the schemas of the targets, as the handlers' jar has them",
    "target/*": "the types of the schema in Java, and what connects the handlers with AWS's runtime",
    "src/test/java/*": "unit tests of the handlers",
    "src/main/resources/*": "which log lines are written",
    "src/*": "the handlers",
    "cmd/main.go": "the program that Lambda starts",
    "cmd/*/model.go": "the types of the schema in Go",
    "cmd/*/config.go": "the names that the handlers use",
    "cmd/*": "the handlers",
    "internal/cfn/*": "Formwork's runtime for Go",
    "internal/targets/*": "the types of the targets in Go",
    "go.mod": "the Go module",
    "[Mm]ake*": "how AWS's own cfn has it built",
    "tests/*": "unit tests of the handlers",
    "docs/*": "documentation for users of the type",
    "*-role.yaml": "the role that CloudFormation takes to run the handlers",
    "*-configuration.json": "the schema of the type configuration on its own",
    "pom.xml": "how Maven builds the handlers and what they need",
    "lombok.config": "how Lombok writes accessors and builders",
    "requirements.txt": "what the handlers need",
    "pytest.ini": "where the unit tests are",
    "package.json": "what the handlers need, and how they are built",
    "package-lock.json": "which versions of it",
    "tsconfig.json": "what the compiler is told",
    ".npmrc": "what npm is told",
    ".vscode/*": "which schema VS Code checks",
    ".idea/*": "which schema PyCharm checks",
    ".gitignore": "what git leaves out",
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
    # One row a folder where the files in it differ in nothing.
    grouped: dict[str, list[str]] = {}
    for path, text in rows.items():
        grouped.setdefault(text, []).append(path)
    return [f"| {', '.join(f'`{each}`' for each in _shortened(paths))} | {text} |" for text, paths in grouped.items()]


def _shortened(paths: list[str]) -> list[str]:
    folder = min((each.rpartition("/")[0] for each in paths), key=len)
    together = len(paths) > 1 and folder and all(each.startswith(f"{folder}/") for each in paths)
    return [f"{folder}/"] if together else paths
