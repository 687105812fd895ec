"""The files that `cfn init` writes once in a Python project: handlers, unit tests, requirements, .gitignore."""

import keyword
from collections.abc import Mapping

from formwork.extensions import ExtensionKind, hyphenated_name, package_name
from formwork.generate.acceptance import ACCEPTANCE_TEST
from formwork.generate.handlers import Handlers
from formwork.generate.plan import PlannedFile, seed
from formwork.generate.templates import render_template
from formwork.languages.python.generate.stubs import render_stub_tests, render_stubs
from formwork.languages.python.generate.templates import TEMPLATES


def plan_python_scaffold(handlers: Handlers) -> dict[str, PlannedFile]:
    """Return the author's own files of a new Python project."""
    package = package_name(handlers.type_name)
    words = {
        "type_name": handlers.type_name,
        "package": package,
        "hyphenated": hyphenated_name(handlers.type_name),
        "variable": f"{package.upper()}_FOLDER",
    }
    sources = _sample(handlers, words) if handlers.sample else _stubs(handlers)
    texts = {
        ".gitignore": _render("gitignore.txt", words),
        "requirements.txt": _render("requirements.txt.txt", words),
        "pytest.ini": _render("pytest.ini.txt", words),
        f"src/{package}/__init__.py": f'"""The handlers of {handlers.type_name}."""\n',
        "tests/test_handlers.py": importable(sources.pop("tests"), package),
        **_acceptance_test(handlers, words),
        **{f"src/{package}/{name}": text for name, text in sources.items()},
    }
    return {path: seed(text) for path, text in texts.items()}


def importable(text: str, package: str) -> str:
    """Return the tests, with packages like `1acme_store_thing`, which are not identifiers, imported by `importlib`."""
    if package.isidentifier() and not keyword.iskeyword(package):
        return text
    lines = []
    for line in text.splitlines(keepends=True):
        if line.startswith(f"from {package}."):
            module, _, names = line.removeprefix("from ").strip().partition(" import ")
            lines += [f'{each} = importlib.import_module("{module}").{each}\n' for each in names.split(", ")]
        else:
            lines.append("import importlib\n\n" + line if line == "import pytest\n" else line)
    return "".join(lines)


def _stubs(handlers: Handlers) -> dict[str, str]:
    return {"handlers.py": render_stubs(handlers.types), "tests": render_stub_tests(handlers.types)}


def _sample(handlers: Handlers, words: Mapping[str, str]) -> dict[str, str]:
    if handlers.types.kind is ExtensionKind.HOOK:
        return {
            "handlers.py": _render("sample_hook_handlers.py.txt", words),
            "tests": _render("sample_test_hook.py.txt", words),
        }
    return {
        "handlers.py": _render("sample_handlers.py.txt", words),
        "store.py": _render("sample_store.py.txt", words),
        "tests": _render("sample_test_handlers.py.txt", words),
    }


def _acceptance_test(handlers: Handlers, words: Mapping[str, str]) -> dict[str, str]:
    """Return the sample's own test in stacks: other than that of every language it runs the handlers in its process."""
    if not handlers.sample:
        return {}
    hook = handlers.types.kind is ExtensionKind.HOOK
    name = "sample_test_hook_acceptance.py.txt" if hook else "sample_test_acceptance.py.txt"
    return {ACCEPTANCE_TEST: _render(name, words)}


def _render(name: str, words: Mapping[str, str]) -> str:
    return render_template(TEMPLATES / name, words)
