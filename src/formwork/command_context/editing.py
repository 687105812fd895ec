"""What the language server is given: schemas of this machine, and documents that other commands have fetched."""

from pathlib import Path
from typing import TYPE_CHECKING

from formwork.command_context.remote import kept_documents

if TYPE_CHECKING:
    from formwork.editor.session import EditorDependencies


def editor_dependencies(folders: list[Path]) -> "EditorDependencies":
    """Return the server's dependencies; `folders` hold further schemas.

    Raises:
        UsageError: one of them does not exist.
    """
    from formwork.command_context.places import state_folder
    from formwork.command_context.schemas_here import schemas_in
    from formwork.editor.session import EditorDependencies
    from formwork.schema.at_hand import SchemaFolder, SchemasAtHand, find_schemas

    users = SchemaFolder(state_folder() / "schemas")
    schemas = SchemasAtHand([schemas_in(folders), users, find_schemas()])
    return EditorDependencies(remote=kept_documents(), schemas=schemas)
