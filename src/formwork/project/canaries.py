"""The inputs of canary templates: `contract-tests-artifacts/`, those files that `canarySettings` names."""

from collections.abc import Mapping

from formwork.documents import Document, DocumentFormat, load_document, read_text
from formwork.project.project import Project

ARTIFACTS_FOLDER = "contract-tests-artifacts"
_DEPENDENCIES = "dependencies.yml"


def load_canary_inputs(project: Project) -> tuple[Mapping[str, Document], str | None]:
    """Return the input files that the settings name and that exist, by name, and the text of `dependencies.yml`.

    Raises:
        BadInputError: a file is not valid JSON.
    """
    folder = project.root / ARTIFACTS_FOLDER
    named = project.config.canary_settings.get("contract_test_file_names")
    names = [each for each in named if isinstance(each, str)] if isinstance(named, list) else []
    paths = [path for path in sorted(folder.glob("inputs_*")) if path.name in names and path.is_file()]
    inputs = {path.name: load_document(path, format=DocumentFormat.JSON) for path in paths}
    dependencies = folder / _DEPENDENCIES
    return inputs, read_text(dependencies) if dependencies.is_file() else None
