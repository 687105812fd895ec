"""The access keys that may call a service with `--require-auth`: a credentials file as AWS's own clients read it."""

import base64
import configparser
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from formwork.diagnostics import BadInputError, EnvironmentProblemError, Location
from formwork.diagnostics.secrets import Secret
from formwork.private_files.modes import make_private_folder


def load_keys(path: Path) -> Mapping[str, Secret]:
    """Return the access keys of a credentials file, by key id.

    Raises:
        EnvironmentProblemError: it can't be read.
        BadInputError: it has no keys.
    """
    parser = configparser.RawConfigParser()
    try:
        parser.read_string(path.read_text(encoding="utf-8"), source=str(path))
    except OSError as error:
        raise EnvironmentProblemError(f'"{path}" can\'t be read: {error.strerror or error}') from error
    except (configparser.Error, UnicodeDecodeError) as error:
        raise BadInputError.of(
            "keys", f"not a credentials file: {type(error).__name__}", location=Location(str(path))
        ) from error
    keys = {
        parser[name]["aws_access_key_id"]: Secret(parser[name]["aws_secret_access_key"])
        for name in parser.sections()
        if {"aws_access_key_id", "aws_secret_access_key"} <= parser[name].keys()
    }
    if not keys:
        raise BadInputError.of(
            "keys",
            "this credentials file has no access keys",
            location=Location(str(path)),
            expected="aws_access_key_id and aws_secret_access_key below [default]",
        )
    return keys


def make_keys(path: Path) -> None:
    """Write a credentials file with one random key, for its owner's eyes only.

    Raises:
        EnvironmentProblemError: it can't be written.
    """
    key_id = "AKIA" + base64.b32encode(secrets.token_bytes(10)).decode()
    text = f"[default]\naws_access_key_id = {key_id}\naws_secret_access_key = {secrets.token_urlsafe(30)}\n"
    try:
        make_private_folder(path.parent)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return  # another server of this folder was faster
    except OSError as error:
        raise EnvironmentProblemError(f'"{path}" can\'t be written: {error.strerror or error}') from error
