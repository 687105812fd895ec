"""Jars of packages as Lambda has them: it unpacks them, so that no JVM asks what was signed in them.

AWS's `pom.xml` merges signed dependencies into one jar with an old shade plugin, and a JVM refuses such a jar.
Unpacking it as Lambda does would take seconds and 38,000 files, so the signature entries are removed from the directory
of a copy of the jar.
"""

import re
import zipfile
from pathlib import Path

_SIGNATURE = re.compile(r"META-INF/[^/]+\.(?:SF|RSA|DSA|EC)", re.IGNORECASE)


def forget_signatures(jar: Path) -> None:
    """Take the files of signatures out of a jar's directory.

    A jar that was merged of many, as the incumbent's pom.xml does it, has the signatures of some of them, and a JVM
    loads nothing of a jar whose signatures don't fit. A file that is not an archive is not changed.
    """
    try:
        with zipfile.ZipFile(jar) as archive:
            if not any(map(_SIGNATURE.fullmatch, archive.namelist())):
                return
        with zipfile.ZipFile(jar, "a") as archive:
            archive.filelist = [each for each in archive.filelist if not _SIGNATURE.fullmatch(each.filename)]
            archive.comment = archive.comment  # has the directory written again
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, ValueError, OverflowError):
        return
