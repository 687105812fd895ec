"""The provider schemas inside PyPI cfn-lint, cleaned of that tool's own keywords."""

import functools
import json
from importlib.resources import files

from formwork.schema.at_hand import OWN_KEYWORDS, clean_schema


@functools.cache
def provider_schemas():
    """(type name, JSON text) of every schema, in a fixed order; versions of one type follow each other."""
    folder = files("cfnlint") / "data" / "schemas" / "resources"
    texts = [each.read_text(encoding="utf-8") for each in folder.iterdir() if each.name.endswith(".json")]
    return sorted((json.loads(text)["typeName"], cleaned(text)) for text in texts)


def cleaned(text):
    return json.dumps(clean_schema(json.loads(text))) if any(f'"{each}"' in text for each in OWN_KEYWORDS) else text
