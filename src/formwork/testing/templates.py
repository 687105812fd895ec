"""Templates as tests have them: dicts, texts, files, CDK apps and stacks, and the output folder of `cdk synth`."""

import contextlib
import io
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from formwork.diagnostics import UsageError
from formwork.documents import Document, load_document, parse_document, read_stream

MAX_BODY = 51_200  # bytes of a TemplateBody; larger ones are uploaded


class TemplateSource(Struct, frozen=True):
    """A template's text as it is sent, and the folder that its local paths start from.

    `name` is a stack name that its source suggests. `assets` are the files and folders of a CDK assembly to upload:
    bucket, key and path each.
    """

    text: str
    folder: Path
    name: str = ""
    assets: tuple[tuple[str, str, Path], ...] = ()
    value: Any = None


def read_template_source(given: Any, *, stack: str = "", account: str = "", region: str = "") -> TemplateSource:
    """Return the template in `given`.

    `given` is a dict, a text in JSON or YAML (or its bytes), an open document, the path of a file, a CDK app or stack,
    or the folder of its assembly; of an assembly with several stacks `stack` names one.

    Raises:
        UsageError: it is none of these.
        BadInputError: the text can't be read.
    """
    if isinstance(given, TemplateSource):
        return given
    if isinstance(given, (Mapping, Document)):
        value, text = (given.value, given.text) if isinstance(given, Document) else (given, "")
        return TemplateSource(text or json.dumps(value), Path.cwd(), value=value)
    if callable(getattr(given, "synth", None)):  # a CDK app
        return _assembly(Path(given.synth().directory), stack, account, region)
    if hasattr(given, "template_file") and hasattr(given, "node"):  # a CDK stack
        folder = Path(given.node.root.synth().directory)
        return _assembly(folder, given.artifact_id, account, region)
    if isinstance(given, os.PathLike) or (isinstance(given, str) and "\n" not in given and "{" not in given):
        return _at(Path(given), stack, account, region)
    if isinstance(given, bytes):
        given = read_stream(io.BytesIO(given), name="template")
    if isinstance(given, str):
        return TemplateSource(given, Path.cwd(), value=parse_document(given, name="template", short_tags=True).value)
    raise UsageError(f"{given!r} is not a template", hint="a dict, a text, a path, or a CDK app or stack")


def _at(path: Path, stack: str, account: str, region: str) -> TemplateSource:
    if path.is_dir():
        return _assembly(path, stack, account, region)
    if not path.is_file():
        raise UsageError(f'"{path}" is not a file', hint="the path of a template, or the template itself")
    value = load_document(path, short_tags=True).value
    return TemplateSource(path.read_text(encoding="utf-8"), path.resolve().parent, value=value)


def _assembly(folder: Path, stack: str, account: str, region: str) -> TemplateSource:
    """Return a stack of a CDK assembly, the output of `cdk synth`."""
    manifest = folder / "manifest.json"
    if not manifest.is_file():
        raise UsageError(f'"{folder}" is not the output of cdk synth: no manifest.json', hint="run `cdk synth` first")
    artifacts = json.loads(manifest.read_text(encoding="utf-8"))["artifacts"]
    stacks = {name: each for name, each in artifacts.items() if each["type"] == "aws:cloudformation:stack"}
    chosen = {
        name: each
        for name, each in stacks.items()
        if not stack or stack in (name, each.get("properties", {}).get("stackName"), each.get("displayName"))
    }
    if len(chosen) != 1:
        raise UsageError(
            f'"{folder}" has {len(stacks)} stacks, {len(chosen)} of them named "{stack}"',
            hint=f"name one of them with stack=: {', '.join(stacks)}",
        )
    name, artifact = next(iter(chosen.items()))
    properties = artifact.get("properties", {})
    value = json.loads((folder / properties["templateFile"]).read_text(encoding="utf-8"))
    _without_bootstrap_rule(value)
    where = {"${AWS::AccountId}": account, "${AWS::Region}": region, "${AWS::Partition}": "aws"}
    assets = tuple(_assets(folder, f"{name}.assets.json", where))
    return TemplateSource(json.dumps(value), folder, properties.get("stackName", name), assets, value)


def _without_bootstrap_rule(value: dict[str, Any]) -> None:
    """Remove the check that the account was bootstrapped, which no account of a test is."""
    value.get("Parameters", {}).pop("BootstrapVersion", None)
    value.get("Rules", {}).pop("CheckBootstrapVersion", None)
    for section in ("Parameters", "Rules"):
        if section in value and not value[section]:
            del value[section]


def _assets(folder: Path, name: str, where: Mapping[str, str]) -> list[tuple[str, str, Path]]:
    found: list[tuple[str, str, Path]] = []
    with contextlib.suppress(FileNotFoundError):
        files = json.loads((folder / name).read_text(encoding="utf-8")).get("files", {})
        for each in files.values():
            for destination in each["destinations"].values():
                bucket, key = destination["bucketName"], destination["objectKey"]
                for placeholder, text in where.items():
                    bucket, key = bucket.replace(placeholder, text), key.replace(placeholder, text)
                found.append((bucket, key, folder / each["source"]["path"]))
    return found
