"""The provider schemas inside PyPI cfn-lint, cleaned of that tool's own keywords."""

import functools
import json
from importlib.resources import files

# Keywords that cfn-lint adds to the schemas it ships.
OWN_KEYWORDS = {
    "dependentExcluded",
    "dependentRequired",
    "enumCaseInsensitive",
    "lifecycle",
    "requiredOr",
    "requiredXor",
    "uniqueKeys",
}


def clean(value):
    if isinstance(value, dict):
        return {key: clean(each) for key, each in value.items() if key not in OWN_KEYWORDS}
    return [clean(each) for each in value] if isinstance(value, list) else value


@functools.cache
def provider_schemas():
    """(type name, JSON text) of every schema, in a fixed order; versions of one type follow each other."""
    folder = files("cfnlint") / "data" / "schemas" / "resources"
    texts = [each.read_text(encoding="utf-8") for each in folder.iterdir() if each.name.endswith(".json")]
    return sorted((json.loads(text)["typeName"], cleaned(text)) for text in texts)


def cleaned(text):
    return json.dumps(clean(json.loads(text))) if any(f'"{each}"' in text for each in OWN_KEYWORDS) else text
