"""Settings of Maven: where Java projects get what is on JitPack, and access to the compiler for old versions of Lombok.

Every released plugin of AWS's for Java allows a range of its schema library, of which older versions name a library on
JitPack, which not every machine reaches. The same library is on Central by other coordinates: a local
repository says so. What JDKs since 16 close to Lombok before 1.18.22 is opened, for unit tests as `cfn` does.
"""

from pathlib import Path

from formwork.toolchain.maven import OPEN_COMPILER

_GROUP, _NAME, _VERSION = "com.github.everit-org.json-schema", "org.everit.json.schema", "1.11.0"
_MOVED = f"""<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>{_GROUP}</groupId>
  <artifactId>{_NAME}</artifactId>
  <version>{_VERSION}</version>
  <distributionManagement>
    <relocation>
      <groupId>com.github.erosb</groupId>
      <artifactId>everit-json-schema</artifactId>
      <version>1.14.1</version>
    </relocation>
  </distributionManagement>
</project>
"""


def maven_options(environments: Path) -> str:
    """MAVEN_OPTS with a repository in `environments`, which knows where the library is, and an open compiler."""
    repository = environments / "m2"
    folder = repository.joinpath(*_GROUP.split("."), _NAME, _VERSION)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{_NAME}-{_VERSION}.pom").write_text(_MOVED, encoding="utf-8")
    return f"-Dmaven.repo.local={repository} {OPEN_COMPILER}"
