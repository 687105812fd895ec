"""Properties whose names Python or the library's BaseModel keeps for itself."""

from cloudformation_cli_python_lib.model import RESERVED_NAMES
from formwork.languages.python.generate.naming import RESERVED_ATTRIBUTES
from support.generated import models_text, module_of


def test_the_generator_knows_every_name_of_the_base_model():
    assert {name for name in RESERVED_NAMES if not name.startswith("__")} <= RESERVED_ATTRIBUTES


def test_awkward_names_round_trip():
    names = ["_id", "_fields", "__x", "_serialize", "1a", "$ref-like", "a.b", "a-b", "self", "None", "cls", "___", "_"]
    document = {
        "typeName": "A::B::C",
        "description": "d",
        "properties": {name: {"type": "string"} for name in names},
        "primaryIdentifier": ["/properties/_id"],
        "additionalProperties": False,
    }
    value = {name: f"value of {name}" for name in names}
    model = module_of(models_text(document)).ResourceModel._deserialize(value)
    assert model._serialize() == value
    assert model._id == "value of _id"
