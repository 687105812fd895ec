"""The logs of registered handlers, as CloudWatch Logs keeps them: one group per type, one stream per resource.

    logs/<account>/<region>/<group, percent-encoded>/<stream>

A line is `<time> TAB [<operation> <token>] <text>`; what is kept is masked before. The group is the one of the
registration's LoggingConfig, or `/my-type-name-stack-ResourceHandler-STRING`.
"""

import hashlib
import re
import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from formwork.extensions import ExtensionKind, hyphenated_name
from formwork.invoke import Exchange
from formwork.registry.types import RegisteredVersion

# A stream that has grown to this begins anew; what it had is kept once, under its name and `.old`.
MOST_BYTES = 16 * 1024 * 1024
_OUTSIDE = re.compile(r"[^A-Za-z0-9._-]")


def log_group(version: RegisteredVersion) -> str:
    """Return the log group of a version's handlers: the registration's, or one named as the guide says.

    Source: user guide, "Monitoring runtime logging for resource types".
    """
    if version.logging:
        return version.logging.log_group_name
    unique = hashlib.sha256(version.type_arn.encode()).hexdigest()[:12].upper()
    return f"{usual_log_group(version.name, version.kind)}-{unique}"


def usual_log_group(name: str, kind: ExtensionKind) -> str:
    """Return what the log groups of a type's handlers begin with where the registration names none."""
    return f"/{hyphenated_name(name)}-stack-{kind.noun.capitalize()}Handler"


def group_folder(group: str) -> str:
    """Return the name of a group's folder: a group's own name may hold slashes, and be `..`."""
    name = quote(group, safe="#")
    return name.replace(".", "%2E") if name.startswith(".") else name


def log_stream(version: RegisteredVersion, payload: Mapping[str, Any]) -> str:
    """The stream of an invocation: the stack and the logical id where it has them, as the handler library names it."""
    data = payload.get("requestData")
    data = data if isinstance(data, Mapping) else {}
    logical_id = data.get("logicalResourceId") or data.get("targetLogicalId")
    if payload.get("stackId") and logical_id:
        return f"{payload['stackId']}/{logical_id}".replace(":", "__")
    return f"{version.scope.account}-{version.scope.region}"


class HandlerLog:
    """The log of one version's handlers."""

    def __init__(
        self, root: Path, version: RegisteredVersion, exchanged: Callable[[Exchange], None] | None = None
    ) -> None:
        """`root` is the folder of all logs; `exchanged` receives every invocation, also one that wrote nothing."""
        self._exchanged = exchanged
        self._version = version
        self._folder = root / version.scope.account / version.scope.region / group_folder(log_group(version))
        self._lock = threading.Lock()

    def keep(self, exchange: Exchange) -> None:
        """Keep what the handlers wrote during an invocation; `exchange` is masked, see `Masker.exchange`."""
        if self._exchanged is not None:
            self._exchanged(exchange)
        payload = exchange.request
        if not exchange.answer.log:
            return
        operation = payload.get("action") or payload.get("actionInvocationPoint") or ""
        token = payload.get("bearerToken") or payload.get("clientRequestToken") or ""
        now = datetime.now(tz=UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        head = f"{now}\t[{operation} {token}] "
        text = "".join(f"{head}{line}\n" for line in exchange.answer.log.splitlines())
        steps = [_OUTSIDE.sub("_", step).lstrip(".") or "_" for step in log_stream(self._version, payload).split("/")]
        self._append(self._folder.joinpath(*steps), text)

    def _append(self, path: Path, text: str) -> None:
        with self._lock:
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file() and path.stat().st_size > MOST_BYTES:
                path.replace(path.with_name(f"{path.name}.old"))
            with path.open("a", encoding="utf-8") as file:
                file.write(text)
