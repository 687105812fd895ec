"""Launches of Node handler processes: the bootstrap loop, without the user's settings of Node."""

from pathlib import Path

from formwork.lambda_host.function import Launch

BOOTSTRAP = Path(__file__).with_name("bootstrap.cjs")


def node_launch(
    node: Path, *, task_root: Path, compile_cache: Path | None = None, debug_port: int | None = None
) -> Launch:
    """Return the launch of a handler in `task_root`; `compile_cache` is Node's folder for compiled code (22.1+)."""
    inspect = () if debug_port is None else (f"--inspect-brk=127.0.0.1:{debug_port}",)
    environment = {"LAMBDA_TASK_ROOT": str(task_root)}
    if compile_cache is not None:
        environment["NODE_COMPILE_CACHE"] = str(compile_cache)
    return Launch((str(node), "--enable-source-maps", *inspect, str(BOOTSTRAP)), environment, task_root)
