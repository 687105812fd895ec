"""Functions of a Node project: compiled in the cache after changes of sources, run by the bootstrap loop."""

import threading
from pathlib import Path

from formwork.diagnostics import BadInputError
from formwork.invoke.project_host.runtime import function_of, once_each
from formwork.invoke.project_host.settings import ProjectHostSettings
from formwork.lambda_host.function import LambdaFunction, Launch
from formwork.lambda_host.template import FunctionSpec
from formwork.languages.typescript.launch import node_launch
from formwork.languages.typescript.managed_sources import managed_sources
from formwork.project import Project
from formwork.toolchain import BuildSettings
from formwork.toolchain.node import find_node
from formwork.toolchain.typescript import build_project, watched_sources

# The first version of Node that can store compiled code in a folder.
_HAS_COMPILE_CACHE = (22, 1)


class NodeProject:
    """Creates functions from specs; they share one build."""

    def __init__(self, project: Project, settings: ProjectHostSettings) -> None:
        self._project = project
        self._root = project.root.resolve()
        self._settings = settings
        self._lock = threading.Lock()
        self._say = once_each(settings.note)

    def function(self, spec: FunctionSpec) -> LambdaFunction:
        """Return the function that the template describes."""
        return function_of(
            spec,
            self._settings,
            task_root=self._root,
            prepare=lambda: self._launch(spec),
            sources=(*watched_sources(self._root), self._project.schema_path),
        )

    def _launch(self, spec: FunctionSpec) -> Launch:
        user = self._settings.user_environment
        node = find_node(user)
        wanted = spec.runtime.removeprefix("nodejs").partition(".")[0]
        if wanted != str(node.version[0]):
            self._say(f"{spec.runtime} is not installed here; running handlers on Node {node.version[0]}")
        with self._lock:  # functions start concurrently and share one build
            replaced = managed_sources(self._project)
            built = build_project(
                self._root,
                BuildSettings(user, self._settings.cache, self._say),
                replaced=replaced,
                debugging=self._settings.debug_port is not None,
            )
        return node_launch(
            node.executable,
            task_root=self._task_root(spec, built),
            compile_cache=self._settings.cache / "node-compiled" if node.version >= _HAS_COMPILE_CACHE else None,
            debug_port=self._settings.debug_port,
        )

    def _task_root(self, spec: FunctionSpec, built: Path) -> Path:
        """Return the folder of the function's code in the build: the template's, if the build has it."""
        code = (self._root / (spec.code_uri or ".")).resolve()
        inside = code.relative_to(self._root) if code.is_relative_to(self._root) else Path()
        folder = built / inside
        if inside.name == "build" or not folder.is_dir():
            folder = built  # the folder that `sam build` or the package would assemble
        expect_handler_file(spec, folder)
        return folder


def expect_handler_file(spec: FunctionSpec, folder: Path) -> None:
    """Check that the handler's file exists where the template says.

    Raises:
        BadInputError: it is not in the build.
    """
    head, _, last = spec.handler.rpartition("/")
    stem = f"{head}/{last.partition('.')[0]}".lstrip("/")
    if any((folder / f"{stem}{suffix}").is_file() for suffix in (".js", ".mjs", ".cjs")):
        return
    message = f'function {spec.name}: handler "{spec.handler}" names {stem}.js, which is not in the build'
    hint = 'fix "Handler" in template.yml, or "outDir" in tsconfig.json'
    raise BadInputError.of("template.handler-file", message, location=spec.location, hint=hint)
