"""CloudWatch Logs for reading: the log groups that handlers write to are folders, their streams are files.

    logs/<account>/<region>/<group>/<stream>

A line of a stream is an event. Its time stands before a tab at its beginning; where it does not, the file's stands in.
A group's name is percent-encoded, since it may hold slashes.
"""

import contextlib
import fnmatch
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from formwork.api.caller import Caller
from formwork.api.dispatch import OperationTable
from formwork.api.wire import ApiError
from formwork.aws.partitions import partition_of
from formwork.stand_ins.refusals import refuse_members

_PAGE = 50
_EVENTS = 10_000
# What an answer holds at most, in bytes, as CloudWatch Logs has it.
_ANSWER_BYTES = 1024 * 1024

Output = Mapping[str, Any]


def logs_operations(root: Path) -> OperationTable:
    """Return the operations that read logs below `root`."""
    logs = _Logs(root)
    return {
        ("logs", "DescribeLogGroups"): logs.describe_groups,
        ("logs", "DescribeLogStreams"): logs.describe_streams,
        ("logs", "GetLogEvents"): logs.get_events,
        ("logs", "FilterLogEvents"): logs.filter_events,
    }


class _Logs:
    def __init__(self, root: Path) -> None:
        self._root = root

    def describe_groups(self, caller: Caller, request: Output) -> Output:
        refuse_members(request, ("accountIdentifiers", "includeLinkedAccounts"), code="InvalidParameterException")
        groups = self._groups(caller)
        names = [name for name in groups if _is_wanted(name, request)]
        page, token = _page(names, request)
        found = [
            {
                "logGroupName": name,
                "arn": f"{_arn(caller, name)}:*",
                "logGroupArn": _arn(caller, name),
                "creationTime": _millis(groups[name]),
                "storedBytes": sum(each.stat().st_size for each in _streams(groups[name])),
            }
            for name in page
        ]
        return {"logGroups": found, "nextToken": token}

    def describe_streams(self, caller: Caller, request: Output) -> Output:
        folder = self._group(caller, request)
        streams = [
            each for each in _streams(folder) if _name(folder, each).startswith(request.get("logStreamNamePrefix", ""))
        ]
        if request.get("orderBy") == "LastEventTime":
            streams.sort(key=lambda each: each.stat().st_mtime)
        if request.get("descending"):
            streams.reverse()
        page, token = _page(streams, request)
        return {
            "logStreams": [
                {
                    "logStreamName": _name(folder, each),
                    "arn": f"{_arn(caller, unquote(folder.name))}:log-stream:{_name(folder, each)}",
                    "creationTime": _millis(each),
                    "lastEventTimestamp": _millis(each),
                    "storedBytes": each.stat().st_size,
                }
                for each in page
            ],
            "nextToken": token,
        }

    def get_events(self, caller: Caller, request: Output) -> Output:
        folder = self._group(caller, request)
        wanted = request["logStreamName"]
        path = next((each for each in _streams(folder) if _name(folder, each) == wanted), None)
        if path is None:
            raise _absent("The specified log stream does not exist.")
        events = [each for each in _lines(path) if _is_within(each[0], request)]
        most = request.get("limit", _EVENTS)
        start = _position(request)
        if start is None:
            start = 0 if request.get("startFromHead") else max(0, len(events) - most)
        page = _within(events[start : start + most])
        end = start + len(page)
        return {
            "events": [{"timestamp": when, "message": text, "ingestionTime": when} for when, text in page],
            "nextForwardToken": f"f/{end}",
            "nextBackwardToken": f"b/{max(0, start - most)}",
        }

    def filter_events(self, caller: Caller, request: Output) -> Output:
        folder = self._group(caller, request)
        names, prefix = request.get("logStreamNames"), request.get("logStreamNamePrefix", "")
        pattern = request.get("filterPattern", "").strip().strip('"')
        found = [
            {
                "logStreamName": name,
                "timestamp": when,
                "message": text,
                "ingestionTime": when,
                "eventId": f"{name}/{at}",
            }
            for each in _streams(folder)
            if (name := _name(folder, each)).startswith(prefix) and (names is None or name in names)
            for at, (when, text) in enumerate(_lines(each))
            if _is_within(when, request) or when == request.get("endTime")
            if not pattern or pattern in text or fnmatch.fnmatchcase(text, pattern)
        ]
        found.sort(key=_timestamp, reverse=request.get("startFromHead") is False)
        start = _position(request) or 0
        most = request.get("limit", _EVENTS)
        end = start + most
        return {"events": found[start:end], "nextToken": f"f/{end}" if end < len(found) else None}

    def _groups(self, caller: Caller) -> dict[str, Path]:
        """Return the caller's groups by name, sorted; looked up there, so that no name leads elsewhere."""
        folders = _folders(self._root / caller.account / caller.region)
        return dict(sorted((unquote(each.name), each) for each in folders if _streams(each)))

    def _group(self, caller: Caller, request: Output) -> Path:
        name = request.get("logGroupName") or _named(str(request.get("logGroupIdentifier", "")))
        found = self._groups(caller).get(name)
        if found is None:
            raise _absent("The specified log group does not exist.")
        return found


def _timestamp(event: Mapping[str, Any]) -> int:
    return int(event["timestamp"])


def _is_wanted(name: str, request: Output) -> bool:
    """Return whether DescribeLogGroups asks for the group of that name; all groups here are of the standard class."""
    identifiers = [_named(each) for each in request.get("logGroupIdentifiers", ())]
    return (
        name.startswith(request.get("logGroupNamePrefix", ""))
        and request.get("logGroupNamePattern", "").lower() in name.lower()
        and request.get("logGroupClass", "STANDARD") == "STANDARD"
        and (not identifiers or name in identifiers)
    )


def _named(identifier: str) -> str:
    """Return the name of a group that is given by name or ARN."""
    return identifier.rpartition(":log-group:")[2].removesuffix(":*")


def _is_within(when: int, request: Output) -> bool:
    """Return whether a time is what a request asks for, in milliseconds; the end is not part of it."""
    return request.get("startTime", when) <= when and ("endTime" not in request or when < request["endTime"])


def _absent(message: str) -> ApiError:
    return ApiError("ResourceNotFoundException", message)


def _arn(caller: Caller, group: str) -> str:
    return f"arn:{partition_of(caller.region)}:logs:{caller.region}:{caller.account}:log-group:{group}"


def _folders(base: Path) -> list[Path]:
    return sorted(each for each in base.iterdir() if each.is_dir()) if base.is_dir() else []


def _streams(folder: Path) -> list[Path]:
    found = (each for each in folder.rglob("*") if each.is_file())
    return sorted(each for each in found if not each.name.startswith(".") and each.suffix != ".zip")


def _name(folder: Path, stream: Path) -> str:
    return stream.relative_to(folder).as_posix()


def _lines(path: Path) -> list[tuple[int, str]]:
    when = _millis(path)
    return [_event(line, when) for line in path.read_text(encoding="utf-8", errors="replace").splitlines()]


def _event(line: str, otherwise: int) -> tuple[int, str]:
    head, tab, text = line.partition("\t")
    if tab:
        with contextlib.suppress(ValueError):
            return int(datetime.fromisoformat(head).timestamp() * 1000), text
    return otherwise, line


def _within(events: list[tuple[int, str]]) -> list[tuple[int, str]]:
    return list(_up_to(events, _ANSWER_BYTES))


def _up_to(events: list[tuple[int, str]], most: int) -> Iterator[tuple[int, str]]:
    for event in events:
        most -= len(event[1]) + 26
        if most < 0:
            return
        yield event


def _millis(path: Path) -> int:
    return int(path.stat().st_mtime * 1000)


def _position(request: Output) -> int | None:
    token = request.get("nextToken")
    if token is None:
        return None
    _, _, number = token.partition("/")
    if not (number.isascii() and number.isdecimal()):
        raise ApiError("InvalidParameterException", "The specified nextToken is invalid.")
    return int(number)


def _page(items: list[Any], request: Output) -> tuple[list[Any], str | None]:
    start = _position(request) or 0
    end = start + request.get("limit", _PAGE)
    return items[start:end], f"f/{end}" if end < len(items) else None
