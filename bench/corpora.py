"""Other people's schemas and models that benchmarks and tests read: in cfn-lint's package, and in a folder."""

import functools
import json
import os
from importlib.resources import files
from pathlib import Path

from bench.incumbent import REPOSITORY
from formwork.schema.at_hand import OWN_KEYWORDS, clean_schema

FIXTURES = Path(os.environ.get("FORMWORK_FIXTURES") or REPOSITORY.parent / "shared" / "fixtures")


@functools.cache
def provider_schemas() -> list[tuple[str, str]]:
    """Return the type name and the text of each schema that cfn-lint has of AWS's types, in a fixed order.

    A text is as cfn-lint has it, unless it has keywords of that tool's own, which are taken out.
    """
    folder = files("cfnlint") / "data" / "schemas" / "resources"
    texts = [each.read_text(encoding="utf-8") for each in folder.iterdir() if each.name.endswith(".json")]
    return sorted((str(json.loads(text)["typeName"]), _cleaned(text)) for text in texts)


def _cleaned(text: str) -> str:
    return json.dumps(clean_schema(json.loads(text))) if any(f'"{each}"' in text for each in OWN_KEYWORDS) else text
