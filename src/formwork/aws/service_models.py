"""Reads botocore's descriptions of services. botocore is in the extras `aws` and `serve`, and takes 50 ms to import."""

import gzip
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from botocore.loaders import Loader
from botocore.model import ServiceModel


class _ModelFiles:
    """What a `Loader` reads files with; botocore's own takes ten times as long, for dicts that keep their order."""

    def exists(self, file_path: str) -> bool:
        return any(file.is_file() for file in _written_as(file_path))

    def load_file(self, file_path: str) -> Any:
        file = next((file for file in _written_as(file_path) if file.is_file()), None)
        if file is None:
            return None
        content = file.read_bytes()
        return msgspec.json.decode(gzip.decompress(content) if file.suffix == ".gz" else content)


def read_description(service: str) -> Mapping[str, Any]:
    """Return botocore's description of the service that it calls `service`, as its JSON.

    Raises:
        UnknownServiceError: botocore has none; DataNotFoundError: nor any of another service.
    """
    loader = Loader(file_loader=_ModelFiles())  # type: ignore[arg-type] - it has the two methods that are called
    description: Mapping[str, Any] = loader.load_service_model(service, "service-2")
    return description


def load_model(service: str) -> ServiceModel:
    """Return the description of a service as botocore's model, whatever protocol the service speaks.

    Raises:
        UnknownServiceError: botocore has none.
    """
    return ServiceModel(read_description(service), service)


def _written_as(path: str) -> tuple[Path, Path]:
    return Path(f"{path}.json"), Path(f"{path}.json.gz")
