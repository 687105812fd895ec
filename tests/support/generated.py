"""Generated Python code as a module of this process."""

import types

from formwork.generate.python.models import render_models
from formwork.generate.python.naming import RESERVED_MODEL_NAMES
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
    exec(compile(text, f"<{name}>", "exec", dont_inherit=True), module.__dict__)
    return module
