"""Tests that need a network namespace: skipped, with the reason, where the machine gives processes none."""

import functools
import sys

import pytest

from formwork.lambda_host.namespace import namespaces_exist, start_in_namespace
from formwork.lambda_host.way_out import NamespaceRequest, NoNamespaceError


@functools.cache
def missing() -> str:
    """Why there are none; "" where there are."""
    if not namespaces_exist():
        return "this system has no network namespaces"
    try:
        process, sockets = start_in_namespace([sys.executable, "-c", ""], NamespaceRequest((), {}), environment={})
    except NoNamespaceError as error:
        return str(error)
    sockets.api.close()
    sockets.close()
    process.wait()
    return ""


needs_namespaces = pytest.mark.skipif(bool(missing()), reason=missing() or "-")
