"""Service models: what operations a service has, and what shape each one's input and output are of."""

import functools
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from msgspec import Struct

if TYPE_CHECKING:
    from botocore.model import OperationModel, ServiceModel


class Protocol(StrEnum):
    """The protocol of a service's messages."""

    QUERY = "query"
    JSON_1_0 = "json-1.0"
    JSON_1_1 = "json-1.1"


class Service(Struct, frozen=True):
    """A service of AWS; `name` is botocore's (`cloudformation`), `signing_name` the one in a signature's scope."""

    name: str
    signing_name: str
    protocol: Protocol
    model: "ServiceModel"

    def operation(self, name: str) -> "OperationModel | None":
        """Return the operation of that name, or None."""
        return self.model.operation_model(name) if name in self.model.operation_names else None

    @property
    def version(self) -> str:
        """The version of its API: `2010-05-15`."""
        found: str = self.model.api_version
        return found

    @property
    def namespace(self) -> str:
        """The XML namespace of its answers; "" where it has none."""
        found: str = self.model.metadata.get("xmlNamespace", "")
        return found

    def error_shape(self, code: str) -> Any:
        """Return the modelled error with that wire code or that shape name, or None."""
        for shape in self.model.error_shapes:
            if code in {shape.name, shape.metadata.get("error", {}).get("code")}:
                return shape
        return None


@functools.cache
def load_service(name: str) -> Service:
    """Return the service that botocore calls `name`; read once a process.

    Raises:
        ValueError: the service speaks a protocol other than query and JSON.
    """
    from formwork.aws.service_models import load_model  # noqa: PLC0415 - botocore: 50 ms, paid when the server starts

    model = load_model(name)
    written, version = model.metadata["protocol"], model.metadata.get("jsonVersion")
    if written == "query":
        protocol = Protocol.QUERY
    elif written == "json" and version in {"1.0", "1.1"}:
        protocol = Protocol(f"json-{version}")
    else:
        msg = f'the service "{name}" speaks {written} {version or ""}, not query or JSON'
        raise ValueError(msg)
    return Service(name, model.signing_name, protocol, model)
