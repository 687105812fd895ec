"""Versions of AWS's Java runtime and their features; entry points are generated for the version in pom.xml.

The reasons are in docs/decisions/1133.
"""

from collections.abc import Mapping
from typing import Any

from formwork.diagnostics import BadInputError, Location
from formwork.extensions import ExtensionKind
from formwork.languages.java.runtime_version import RuntimeVersion

RUNTIME_SETTING = "runtime_version"

_OLDEST = (2,)
_HOOKS = (2, 0, 13)
WRITES_RESPONSES = (2, 0, 2)
EXECUTABLES = (2, 0, 3)
TYPE_CONFIGURATION = (2, 0, 6)

_DATA = "request.getRequestData()."
# Member of a handler's request → the path in the service's request, and the first version with it.
_REQUEST: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("clientRequestToken", "request.getBearerToken()", _OLDEST),
    ("desiredResourceState", f"{_DATA}getResourceProperties()", _OLDEST),
    ("previousResourceState", f"{_DATA}getPreviousResourceProperties()", _OLDEST),
    ("desiredResourceTags", "getDesiredResourceTags(request)", _OLDEST),
    ("previousResourceTags", "getPreviousResourceTags(request)", (2, 0, 2)),
    ("systemTags", f"{_DATA}getSystemTags()", _OLDEST),
    ("previousSystemTags", f"{_DATA}getPreviousSystemTags()", (2, 0, 3)),
    ("awsAccountId", "request.getAwsAccountId()", _OLDEST),
    (
        "awsPartition",
        "request.getRegion() == null ? null : PartitionMetadata.of(Region.of(request.getRegion())).id()",
        _OLDEST,
    ),
    ("logicalResourceIdentifier", f"{_DATA}getLogicalResourceId()", _OLDEST),
    ("nextToken", "request.getNextToken()", _OLDEST),
    ("maxResults", "request.getMaxResults()", (2, 2)),
    ("snapshotRequested", "request.getSnapshotRequested()", (2, 0, 3)),
    ("rollback", "request.getRollback()", (2, 0, 3)),
    ("driftable", "request.getDriftable()", (2, 0, 4)),
    ("features", "request.getFeatures()", TYPE_CONFIGURATION),
    ("updatePolicy", "request.getUpdatePolicy()", (2, 0, 8)),
    ("creationPolicy", "request.getCreationPolicy()", (2, 0, 8)),
    ("region", "request.getRegion()", _OLDEST),
    ("stackId", "getStackId(request)", (2, 0, 3)),
)


class Runtime:
    """The runtime that a project is built with; the newest if its settings name none."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        found = settings.get(RUNTIME_SETTING)
        self._version = found if isinstance(found, RuntimeVersion) else None

    def has(self, since: tuple[int, ...]) -> bool:
        """Return whether it is the version `since` or later."""
        return self._version is None or self._version.has(since)

    def expect(self, kind: ExtensionKind) -> None:
        """Check that the runtime supports extensions of this kind.

        Raises:
            BadInputError: it does not support their protocol.
        """
        least = _HOOKS if kind is ExtensionKind.HOOK else _OLDEST
        if self.has(least):
            return
        what = "hooks" if kind is ExtensionKind.HOOK else "the protocol that handlers are called by"
        raise BadInputError.of(
            "generate.java-runtime",
            f"the version of aws-cloudformation-rpdk-java-plugin in pom.xml is too old for {what}",
            location=Location("pom.xml"),
            expected=f"{'.'.join(map(str, (*least, 0, 0)[:3]))} or later",
        )

    def request_members(self) -> str:
        """Return the lines of the wrapper that fill a handler's request."""
        return "\n".join(f"            .{name}({source})" for name, source, since in _REQUEST if self.has(since))
