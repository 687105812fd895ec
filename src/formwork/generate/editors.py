"""So that editors complete and check the schema while it is written: our meta-schema in the project, and who uses it.

The meta-schemas are copied into `.formwork/`: a path into the installation would differ on every machine, and the
folder is meant to be committed.
"""

import json

from formwork.generate.plan import PlannedFile, managed, seed
from formwork.generate.templates import render_template
from formwork.project import ExtensionKind
from formwork.schema.metaschemas import read_metaschema

_FOLDER = ".formwork"
# Kind → its meta-schema, and those it refers to.
_META_SCHEMAS = {
    ExtensionKind.RESOURCE: ("resource.json", "base.json", "type-configuration.json"),
    ExtensionKind.HOOK: ("hook.json", "base.json", "hook-configuration.json"),
}


def plan_editors(kind: ExtensionKind, schema_file: str) -> dict[str, PlannedFile]:
    """The meta-schemas, and their association with the schema in VS Code and in PyCharm and its relatives."""
    main, *_ = names = _META_SCHEMAS[kind]
    words = {"kind": f"{kind.lower()} type", "meta_schema": f"{_FOLDER}/{main}", "schema_file": schema_file}
    settings = {"json.schemas": [{"fileMatch": [f"/{schema_file}"], "url": f"./{_FOLDER}/{main}"}]}
    return {
        **{f"{_FOLDER}/{name}": managed(read_metaschema(name)) for name in names},
        ".vscode/settings.json": seed(json.dumps(settings, indent=4) + "\n"),
        ".idea/jsonSchemas.xml": seed(render_template("templates/jsonSchemas.xml.txt", words)),
    }
