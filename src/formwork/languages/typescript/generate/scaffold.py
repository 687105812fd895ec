"""The files that `cfn init` writes once in a TypeScript project: handlers, unit tests, settings of tsc and npm."""

from collections.abc import Mapping

from formwork.extensions import ExtensionKind, hyphenated_name, package_name
from formwork.generate.handlers import Handlers
from formwork.generate.plan import PlannedFile, seed
from formwork.generate.templates import render_template
from formwork.languages.typescript.generate.stubs import render_stub_tests, render_stubs
from formwork.languages.typescript.generate.templates import TEMPLATES

_FILES = {
    ".gitignore": "gitignore.txt",
    ".npmrc": "npmrc.txt",
    "package.json": "package.json.txt",
    "package-lock.json": "package-lock.json.txt",
    "tsconfig.json": "tsconfig.json.txt",
    "tests/tsconfig.json": "tsconfig.tests.json.txt",
}


def plan_typescript_scaffold(handlers: Handlers) -> dict[str, PlannedFile]:
    """Return the author's own files of a new TypeScript project."""
    words = {
        "type_name": handlers.type_name,
        "hyphenated": hyphenated_name(handlers.type_name),
        "variable": f"{package_name(handlers.type_name).upper()}_FOLDER",
    }
    texts = {name: _render(template, words) for name, template in _FILES.items()}
    texts |= _sample(handlers, words) if handlers.sample else _stubs(handlers)
    return {path: seed(text) for path, text in texts.items()}


def _stubs(handlers: Handlers) -> dict[str, str]:
    return {
        "src/handlers.ts": render_stubs(handlers.types),
        "tests/handlers.test.ts": render_stub_tests(handlers.types),
    }


def _sample(handlers: Handlers, words: Mapping[str, str]) -> dict[str, str]:
    if handlers.types.kind is ExtensionKind.HOOK:
        return {
            "src/handlers.ts": _render("sample_hook_handlers.ts.txt", words),
            "tests/handlers.test.ts": _render("sample_hook.test.ts.txt", words),
        }
    return {
        "src/handlers.ts": _render("sample_handlers.ts.txt", words),
        "src/store.ts": _render("sample_store.ts.txt", words),
        "tests/handlers.test.ts": _render("sample_handlers.test.ts.txt", words),
    }


def _render(name: str, words: Mapping[str, str]) -> str:
    return render_template(TEMPLATES / name, words)
