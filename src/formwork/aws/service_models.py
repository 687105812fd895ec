"""Reads botocore's descriptions of services. botocore is in the extras `aws` and `serve`, and takes 50 ms to import."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from botocore.loaders import JSONFileLoader, Loader
from botocore.model import ServiceModel


class _ModelFiles(JSONFileLoader):
    """Reads a file in a tenth of the time that botocore's own loader takes, which makes ordered dicts."""

    def load_file(self, file_path: str) -> Any:
        """Return the JSON in the file of that path without its suffixes, None where there is none."""
        written = Path(f"{file_path}.json"), Path(f"{file_path}.json.gz")
        file = next((file for file in written if file.is_file()), None)
        if file is None:
            return None
        content = file.read_bytes()
        return msgspec.json.decode(gzip.decompress(content) if file.suffix == ".gz" else content)


def read_description(service: str) -> Mapping[str, Any]:
    """Return botocore's description of the service that it calls `service`, as its JSON.

    Raises:
        DataNotFoundError: botocore has none.
    """
    loader = Loader(file_loader=_ModelFiles())
    # `load_service_model` looks into the folders of all services first, for 15 ms.
    version = loader.determine_latest_version(service, "service-2")
    description: Mapping[str, Any] = loader.load_data(f"{service}/{version}/service-2")
    return description


def load_model(service: str) -> ServiceModel:
    """Return the description of a service as botocore's model, whatever protocol the service speaks.

    Raises:
        DataNotFoundError: botocore has none.
    """
    return ServiceModel(read_description(service), service)
