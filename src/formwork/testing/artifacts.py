"""Local files and folders that a template names: uploaded, and replaced by where they are, as `sam deploy` does."""

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from formwork.documents import load_document
from formwork.testing.templates import TemplateSource

_Put = Callable[[str, bytes], tuple[str, str]]  # a key and a content to a bucket and a URL
# Property → how its value names an object.
_CODE = {
    "AWS::Serverless::Function": "CodeUri",
    "AWS::Serverless::LayerVersion": "ContentUri",
    "AWS::Lambda::Function": "Code",
    "AWS::Lambda::LayerVersion": "Content",
}
_TEMPLATES = {"AWS::CloudFormation::Stack": "TemplateURL", "AWS::Serverless::Application": "Location"}
_TIME = (1980, 1, 1, 0, 0, 0)  # the same files are the same archive


def upload_artifacts(source: TemplateSource, put: _Put) -> TemplateSource:
    """Return a template whose local paths are replaced by objects; `put` uploads one and returns its bucket and URL."""
    if not isinstance(source.value, Mapping):
        return source
    value = _uploaded(source.value, source.folder, put)
    return source if value is source.value else replace(source, text=json.dumps(value), value=value)


def _uploaded(template: Mapping[str, Any], folder: Path, put: _Put) -> Mapping[str, Any]:
    changed: dict[str, Any] = {}
    for name, resource in (template.get("Resources") or {}).items():
        found = _of_resource(resource, folder, put) if isinstance(resource, Mapping) else None
        if found is not None:
            changed[name] = {**resource, "Properties": {**resource.get("Properties", {}), **found}}
    function = (template.get("Globals") or {}).get("Function") or {}
    path = _local(function.get("CodeUri"), folder)
    if path is not None:
        bucket, key = _put_code(path, put)
        function = {**function, "CodeUri": {"Bucket": bucket, "Key": key}}
    elif not changed:
        return template
    more = {"Globals": {**template["Globals"], "Function": function}} if function else {}
    return {**template, **more, "Resources": {**template["Resources"], **changed}}


def _of_resource(resource: Mapping[str, Any], folder: Path, put: _Put) -> dict[str, Any] | None:
    kind, properties = str(resource.get("Type")), resource.get("Properties") or {}
    if (name := _CODE.get(kind)) and (path := _local(properties.get(name), folder)):
        bucket, key = _put_code(path, put)
        words = ("Bucket", "Key") if kind.startswith("AWS::Serverless::") else ("S3Bucket", "S3Key")
        return {name: dict(zip(words, (bucket, key), strict=True))}
    if (name := _TEMPLATES.get(kind)) and (path := _local(properties.get(name), folder)):
        nested = _uploaded(load_document(path, short_tags=True).value, path.parent, put)
        _, url = put(f"{path.stem}.template", json.dumps(nested).encode())
        return {name: url}
    return None


def _local(value: Any, folder: Path) -> Path | None:
    """Return the path that a value names, None where it is not that of a file or folder here."""
    if not isinstance(value, str) or "://" in value:
        return None
    path = folder / value
    return path if path.exists() else None


def _put_code(path: Path, put: _Put) -> tuple[str, str]:
    content = path.read_bytes() if path.suffix in {".zip", ".jar"} else archive_of(path)
    key = f"{hashlib.sha256(content).hexdigest()}.zip"  # other code has another key: functions are updated
    return put(key, content)[0], key


def archive_of(path: Path) -> bytes:
    """Return a zip archive of a folder's files, or of one file."""
    buffer = io.BytesIO()
    files = [path] if path.is_file() else sorted(each for each in path.rglob("*") if each.is_file())
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in files:
            if "__pycache__" not in file.parts:
                name = file.name if path.is_file() else file.relative_to(path).as_posix()
                member = zipfile.ZipInfo(name, _TIME)
                member.external_attr = 0o755 << 16
                archive.writestr(member, file.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
