"""The files that `cfn init` writes once in a Go project: handlers, their tests, go.mod, .gitignore."""

from formwork.extensions import ExtensionKind, hyphenated_name, package_name
from formwork.generate.handlers import Handlers
from formwork.generate.plan import PlannedFile, seed
from formwork.generate.templates import render_template
from formwork.languages.go.generate.settings import import_path_of, package_of
from formwork.languages.go.generate.stubs import render_stub_tests, render_stubs
from formwork.languages.go.generate.templates import TEMPLATES

# The oldest Go whose encoding of JSON supports omitzero.
GO_VERSION = "1.24"
_SAMPLES = {
    ExtensionKind.RESOURCE: ("resource.go", "store.go", "store_lock.go", "store_lock_other.go", "resource_test.go"),
    ExtensionKind.HOOK: ("hook.go", "hook_test.go"),
}


def plan_go_scaffold(handlers: Handlers) -> dict[str, PlannedFile]:
    """Return the author's own files of a new Go project."""
    package = package_of(handlers.types.kind)
    words = {
        "type_name": handlers.type_name,
        "hyphenated": hyphenated_name(handlers.type_name),
        "import_path": import_path_of(handlers.settings),
        "variable": f"{package_name(handlers.type_name).upper()}_FOLDER",
        "go_version": GO_VERSION,
    }
    if handlers.sample:
        sources = {
            name: render_template(TEMPLATES / f"sample_{name}.txt", words) for name in _SAMPLES[handlers.types.kind]
        }
    else:
        sources = {
            f"{package}.go": render_stubs(handlers.types, words["import_path"]),
            f"{package}_test.go": render_stub_tests(handlers.types),
        }
    texts = {
        ".gitignore": render_template(TEMPLATES / "gitignore.txt", words),
        "Makefile": render_template(TEMPLATES / "makefile.txt", words),
        "go.mod": render_template(TEMPLATES / "go.mod.txt", words),
        **{f"cmd/{package}/{name}": text for name, text in sources.items()},
    }
    return {path: seed(text) for path, text in texts.items()}
