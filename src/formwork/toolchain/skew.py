"""A defect of existing projects, fixed in the packages that they are built with.

AWS's handler library keeps its metadata of a model in the class-transformer package that it imports; models.ts of
projects made with the CloudFormation CLI import another version of that package, so that the library has none and
every property is lost silently. Both must be one copy: the library's.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

_LIBRARY = Path("@amazon-web-services-cloudformation", "cloudformation-cli-typescript-lib")
_SHARED = "class-transformer"


def has_skew(packages: Path) -> bool:
    """Return whether the library in the node_modules folder `packages` has a class-transformer of its own."""
    return (packages / _LIBRARY / "node_modules" / _SHARED).is_dir()


def mend_skew(packages: Path, note: Callable[[str], None]) -> None:
    """Put the library's class-transformer in place of another version."""
    if not has_skew(packages):
        return
    note(
        f"{_SHARED} in package.json is not the version of AWS's handler library, which would lose every property: "
        "building with the library's"
    )
    own = packages / _SHARED
    shutil.rmtree(own, ignore_errors=True)
    (packages / _LIBRARY / "node_modules" / _SHARED).rename(own)
