"""Functions of a Java project: its classes, built by Maven after changes of sources, each in its own JVM."""

import sys
import threading
import uuid
from pathlib import Path

from formwork.invoke.project_host.runtime import function_of
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.template import FunctionSpec
from formwork.languages.java.launch import BOOTSTRAP_SOURCES, java_launch
from formwork.languages.java.redirection import redirect_sdks
from formwork.private_files.temporary import TemporaryFolder
from formwork.project import Project
from formwork.toolchain import BuildSettings, Tool
from formwork.toolchain.java import find_jdk, java_release
from formwork.toolchain.maven import MavenProject, build_inputs, compile_classes


class JavaProject:
    """Creates functions from specs; they share one build, made when the first process starts after a change."""

    def __init__(self, project: Project, settings: ProjectHostSettings) -> None:
        self._root = project.root.resolve()
        self._settings = settings
        self._lock = threading.Lock()
        self._inputs = (*build_inputs(self._root), self._root / f"{project.hyphenated_name}.json")
        # AWS's runtime empties the folder for temporary files before each request, so each process gets its own.
        self._temporary = TemporaryFolder("java")

    def function(self, spec: FunctionSpec) -> LambdaFunction:
        """Return the function that the template describes."""
        return function_of(
            spec, self._settings, task_root=self._root, prepare=lambda: self._launch(spec), sources=self._inputs
        )

    def _launch(self, spec: FunctionSpec) -> Launch:
        with self._lock:  # two functions share one build
            jdk = find_jdk(self._settings.user_environment, least=java_release(spec.runtime))
            class_path = self._class_path(jdk)
        temporary = self._temporary.path / uuid.uuid4().hex
        temporary.mkdir()
        return java_launch(
            jdk.executable,
            class_path=class_path,
            temporary=temporary,
            task_root=self._root,
            memory_mb=spec.memory_mb,
            debug_port=self._settings.debug_port,
        )

    def _class_path(self, jdk: Tool) -> tuple[Path, ...]:
        settings = BuildSettings(self._settings.user_environment, self._settings.cache, self._settings.note)
        project = MavenProject(self._root, self._inputs, jdk, Path(sys.executable).parent, settings)
        found = project.class_path()
        own = compile_classes([BOOTSTRAP_SOURCES], jdk=jdk, settings=settings)
        return (own, *redirect_sdks(found, self._settings.aws_environment, jdk=jdk, settings=settings), *found)
