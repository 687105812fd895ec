"""Where other people's schemas and models are that benchmarks read: in cfn-lint's package, and in a folder."""

import json
import os
from importlib.resources import files
from pathlib import Path

from bench.incumbent import REPOSITORY
from formwork.schema.at_hand import clean_schema

FIXTURES = Path(os.environ.get("FORMWORK_FIXTURES") or REPOSITORY.parent / "shared" / "fixtures")


def provider_schemas() -> list[tuple[str, str]]:
    """Return the type name and the text of each schema of AWS that cfn-lint has, without that tool's own keywords."""
    folder = files("cfnlint") / "data" / "schemas" / "resources"
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".json"))
    schemas = [clean_schema(json.loads((folder / name).read_text(encoding="utf-8"))) for name in names]
    return sorted((str(each["typeName"]), json.dumps(each)) for each in schemas)
