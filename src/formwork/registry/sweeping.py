"""Clean-up when a registry starts: incomplete files, and packages that are not used any more."""

import shutil
import time

from sqlalchemy import select

from formwork.registry.dependencies import RegistryDependencies
from formwork.registry.tables import public_versions, versions

_NEEDED = ("LIVE", "PENDING")
# Other workers may be about to note a package; none takes a day for it.
_SHARED_GRACE_SECONDS = 86_400


def remove_unneeded(parts: RegistryDependencies, digest: str) -> None:
    """Remove a package that was refused, unless a version has the same one."""
    needed = select(versions.c.number).where(versions.c.package == digest, versions.c.status.in_(_NEEDED))
    published = select(public_versions.c.id).where(public_versions.c.package == digest)
    with parts.database.begin() as connection:  # no package is added meanwhile
        if connection.execute(needed).first() is None and connection.execute(published).first() is None:
            shutil.rmtree(parts.state.packages / digest, ignore_errors=True)


def sweep(parts: RegistryDependencies) -> None:
    """Remove left-over files; if other workers share the state folder, only those that are a day old."""
    shared = parts.database.shared
    if not shared:
        parts.state.remove_half_made(before=parts.database.opened)  # uploads may be on their way by now
    with parts.database.read() as connection:
        needed = set(connection.execute(select(versions.c.package).where(versions.c.status.in_(_NEEDED))).scalars())
        needed |= set(connection.execute(select(public_versions.c.package)).scalars())
    if not parts.state.packages.is_dir():
        return
    oldest = time.time() - (_SHARED_GRACE_SECONDS if shared else 0)
    for folder in parts.state.packages.iterdir():
        if folder.name not in needed and folder.stat().st_mtime <= oldest:
            shutil.rmtree(folder, ignore_errors=True)
