"""The schemas of resource types, read once each."""

from formwork.documents import parse_document
from formwork.documents.document import DocumentFormat
from formwork.schema import ResourceSchema, load_resource_schema
from formwork.schema.at_hand import SchemaCatalog


class SchemaReader:
    """Reads the schemas of a catalog."""

    def __init__(self, catalog: SchemaCatalog) -> None:
        self._catalog = catalog
        self._known: dict[str, ResourceSchema | None] = {}

    def find(self, type_name: str) -> ResourceSchema | None:
        """Return the schema of a type; None if it is unavailable or invalid."""
        if type_name not in self._known:
            text = self._catalog.find(type_name)
            self._known[type_name] = None if text is None else _read(text, type_name)
        return self._known[type_name]


def _read(text: str, type_name: str) -> ResourceSchema | None:
    return load_resource_schema(parse_document(text, name=f"{type_name}.json", format=DocumentFormat.JSON)).schema
