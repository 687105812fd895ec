"""Cassettes as files: JSON, one file for a host, each call as a reviewer reads it.

{
  "cassette": 1,
  "calls": [
    {
      "during": "contract_create_read",
      "request": {"method": "POST", "url": "https://api.example.com/things", "json": {"name": "a"}},
      "reply": {"status": 201, "headers": {"content-type": "application/json"}, "json": {"id": 1}}
    }
  ]
}
"""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from formwork.diagnostics import EnvironmentProblemError
from formwork.egress.cassettes.entries import COMPACT, Body, BodyKind, RecordedCall

FORMAT = 1
SUFFIX = ".cassette.json"
_LARGEST_FILE = 8 * 1024 * 1024  # documents are read up to 10 MB
_GENERATED = re.compile(r"[a-z0-9-]*[0-9][a-z0-9-]*(?=\.s3[.-])")  # a bucket's name before S3's host


def write_cassettes(folder: Path, calls: list[RecordedCall]) -> tuple[Path, ...]:
    """Write calls to one file for each host in `folder`, in place of older files of these hosts; return the files.

    Raises:
        EnvironmentProblemError: the folder can't be written.
    """
    by_file: dict[str, list[RecordedCall]] = {}
    for call in calls:
        by_file.setdefault(_file_name(call.request.host), []).append(call)
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, own in by_file.items():
            texts = list(_texts(own))
            names = [f"{name}{f'.part{at:02}' if at > 1 else ''}{SUFFIX}" for at in range(1, len(texts) + 1)]
            for older in folder.glob(f"{name}.part[0-9]*{SUFFIX}"):
                if older.name not in names:
                    older.unlink()
            for file, text in zip(names, texts, strict=True):
                _replace(folder / file, text)
                written.append(folder / file)
    except OSError as error:
        raise EnvironmentProblemError(f'cassettes cannot be written to "{folder}": {error.strerror or error}') from None
    return tuple(written)


def _file_name(host: str) -> str:
    return re.sub(r"[^a-z0-9.-]", "_", _GENERATED.sub("bucket", host.lower()).replace(":", "_"))


def _texts(calls: list[RecordedCall]) -> Iterator[str]:
    """Yield the texts of the files of one host, as few as hold all calls."""
    entries = [_indented(_entry(call)) for call in calls]
    while entries:
        size, count = 0, 0
        while count < len(entries) and (count == 0 or size + len(entries[count].encode()) < _LARGEST_FILE):
            size += len(entries[count].encode())
            count += 1
        listed = ",\n".join(entries[:count])
        yield f'{{\n  "cassette": {FORMAT},\n  "calls": [\n{listed}\n  ]\n}}\n'
        entries = entries[count:]


def _indented(entry: dict[str, Any]) -> str:
    text = json.dumps(entry, indent=2, ensure_ascii=False)
    return "\n".join(f"    {line}" for line in text.split("\n"))


def _replace(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _entry(call: RecordedCall) -> dict[str, Any]:
    request, reply = call.request, call.reply
    asked: dict[str, Any] = {"method": request.method, "url": request.url}
    asked |= {"query": dict(request.query)} if request.query else {}
    asked |= {"headers": dict(request.headers)} if request.headers else {}
    told: dict[str, Any] = {"status": reply.status}
    if reply.headers:
        names = [name for name, _ in reply.headers]
        several = len({name.lower() for name in names}) < len(names)
        told["headers"] = [list(each) for each in reply.headers] if several else dict(reply.headers)
    entry = {"request": asked | _body_entry(request.body), "reply": told | _body_entry(reply.body)}
    return {"during": call.part, **entry} if call.part else entry


def _body_entry(body: Body) -> dict[str, Any]:
    if body.kind is BodyKind.EMPTY:
        return {}
    if body.kind is BodyKind.TEXT and "\n" in body.value:
        return {str(body.kind): body.value.split("\n")}
    layout = {} if body.layout == COMPACT else {"layout": body.layout}
    return {str(body.kind): body.value, **layout}
