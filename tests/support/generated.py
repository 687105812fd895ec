"""Generated Python code as a module of this process."""

import functools
import sys
import types

from formwork.languages.python.generate.models import render_models
from formwork.languages.python.generate.naming import RESERVED_MODEL_NAMES
from formwork.languages.python.generate.vendored import FOLDER, plan_vendored
from formwork.model import build_type_model


def models_text(document):
    """The text of models.py for a schema document."""
    return render_models(build_type_model(document, reserved=RESERVED_MODEL_NAMES))


def models_of(document):
    """models.py for a schema document, executed."""
    return module_of(models_text(document))


def module_of(text, name="generated_models"):
    """A module with that source; warnings while it is compiled are errors, as everywhere in the tests."""
    module = types.ModuleType(name)
    module.__package__ = name
    sys.modules.setdefault(f"{name}.{FOLDER}", _what_models_import())
    exec(compile(text, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
    return module


def write_package(folder, texts):
    """A package in a new folder with modules of those names and texts, and with what generated models import."""
    files = {"__init__.py": "", **{f"{name}.py": text for name, text in texts.items()}}
    files |= {name: file.text for name, file in plan_vendored().items()}
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@functools.cache
def _what_models_import():
    """`formwork_models/__init__.py` beside a models.py, which takes everything from the installed handler library."""
    module = types.ModuleType(FOLDER)
    exec(plan_vendored()[f"{FOLDER}/__init__.py"].text, module.__dict__)
    return module
