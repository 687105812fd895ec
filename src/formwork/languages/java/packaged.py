"""Packages of Java projects: a jar with its dependencies, in the package itself or in an archive inside."""

from pathlib import Path

from formwork.lambda_host.function import Launch
from formwork.languages.interface import LaunchSettings, UnpackedPackage
from formwork.languages.java.launch import BOOTSTRAP_SOURCES, java_launch
from formwork.languages.java.redirection import redirect_sdks
from formwork.project.config import ProjectConfig
from formwork.toolchain import BuildSettings
from formwork.toolchain.java import find_jdk, java_release
from formwork.toolchain.maven import compile_classes


def missing(package: UnpackedPackage, _handler: str) -> str | None:
    """Return a missing jar or folder of classes; the handler's class is not checked before it is loaded."""
    return None if _class_path(package) else "jar in target/"


def launch(package: UnpackedPackage, config: ProjectConfig, settings: LaunchSettings, temporary: Path) -> Launch:
    """Return the launch in a JVM of the runtime's version or later, with its own temporary folder."""
    jdk = find_jdk(settings.user_environment, least=java_release(config.runtime or ""))
    build = BuildSettings(settings.user_environment, settings.cache, settings.note)
    own = compile_classes([BOOTSTRAP_SOURCES], jdk=jdk, settings=build)
    found = _class_path(package)
    redirection = redirect_sdks(found, settings.aws_environment, jdk=jdk, settings=build)
    return java_launch(
        jdk.executable,
        class_path=(own, *redirection, *found),
        temporary=temporary,
        task_root=package.files,
        memory_mb=settings.memory_mb,
    )


def loads_like_lambda(_package: UnpackedPackage, config: ProjectConfig, settings: LaunchSettings) -> bool:
    """Return whether the JVM has the runtime's version."""
    find_jdk(settings.user_environment, least=java_release(config.runtime or ""))
    return True


def _class_path(package: UnpackedPackage) -> tuple[Path, ...]:
    jars = [*sorted(package.files.glob("target/*.jar")), *sorted(package.handler.glob("lib/*.jar"))]
    if package.handler.is_dir() and any(package.handler.iterdir()):
        jars.insert(0, package.handler)
    return tuple(jars)
