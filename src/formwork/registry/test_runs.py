"""The runs of contract tests: which there were, and the files that each left."""

import io
import zipfile

from msgspec import Struct
from sqlalchemy import select

from formwork.aws.scope import Scope
from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.errors import type_not_found
from formwork.registry.finding import get_type, read_reference
from formwork.registry.names import version_id
from formwork.registry.proving import result_key
from formwork.registry.requests import TypeReference
from formwork.registry.tables import tests

_MOST = 100
_MOST_BYTES = 32 * 1024 * 1024  # of one file; a report of the largest types has a tenth of it


class ContractTestRun(Struct, frozen=True):
    """A run; `version_id` is the tested version, `status` is IN_PROGRESS, PASSED or FAILED, `began` in seconds."""

    id: str
    version_id: str
    status: str
    began: float


def list_runs(parts: RegistryDependencies, scope: Scope, reference: TypeReference) -> list[ContractTestRun]:
    """Return the latest runs of all versions of a type, the newest first.

    Raises:
        RegistryError: there is no such type.
    """
    named = read_reference(scope, reference)
    with parts.database.read() as connection:
        row = get_type(connection, scope, named.kind, named.name)
        if row is None:
            raise type_not_found(named.name)
        query = select(tests).where(tests.c.type_id == row.id).order_by(tests.c.created.desc(), tests.c.id)
        found = connection.execute(query.limit(_MOST)).all()
    return [ContractTestRun(each.id, version_id(each.number), each.status, each.created) for each in found]


def read_run_file(
    parts: RegistryDependencies, scope: Scope, reference: TypeReference, run_id: str, name: str
) -> bytes | None:
    """Return a file of a run of a type's tests, None where the run has none of the name, or has not ended.

    Raises:
        RegistryError: there is no such type.
    """
    named = read_reference(scope, reference)
    if run_id not in {each.id for each in list_runs(parts, scope, reference)}:
        return None
    path = parts.state.results / scope.account / scope.region / result_key(named.name, run_id)
    if not path.is_file():
        return None
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as archive:
        if name not in archive.namelist() or archive.getinfo(name).file_size > _MOST_BYTES:
            return None
        return archive.read(name)
