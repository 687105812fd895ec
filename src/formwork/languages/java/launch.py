"""Launches of Java handler processes: Formwork's loop in a JVM with the handler's class path and its own folder.

AWS's runtime for extensions empties `java.io.tmpdir` before every request, so that a process must never get the
machine's own.

The reasons are in docs/decisions/1131.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from formwork.lambda_host.function import Launch

SOURCES = Path(__file__).with_name("host")
BOOTSTRAP_SOURCES = SOURCES / "main"
AWS_SOURCES = SOURCES / "aws"
# Version of AWS's SDK → the jar that has its interceptors, and the folder in which Formwork's is registered.
AWS_HANDLERS = {
    "v1": ("aws-java-sdk-core", SOURCES / "handlers" / "v1"),
    "v2": ("sdk-core", SOURCES / "handlers" / "v2"),
}
_MAIN_CLASS = "formwork.host.Bootstrap"

# The part of a function's memory for the heap; the rest is for code, stacks and the JVM itself.
_HEAP_SHARE = 0.6
_LEAST_HEAP = 64


def java_launch(  # noqa: PLR0913 - what the JVM is started with
    java: Path,
    *,
    class_path: Sequence[Path],
    temporary: Path,
    task_root: Path,
    memory_mb: int | None,
    debug_port: int | None = None,
) -> Launch:
    """Return the launch of a handler; `class_path` contains its classes and those of Formwork's loop.

    `temporary` is an empty folder for this process only.
    """
    command = [
        str(java),
        # Lambda's own options: for a short-lived process, a fast start matters more than fast code.
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        f"-Djava.io.tmpdir={temporary}",
        "-Dfile.encoding=UTF-8",
        "-Dstdout.encoding=UTF-8",
        "-Dstderr.encoding=UTF-8",
        "-Djava.awt.headless=true",
    ]
    if memory_mb is not None:
        command.append(f"-Xmx{max(_LEAST_HEAP, int(memory_mb * _HEAP_SHARE))}m")
    if debug_port is not None:
        command.append(f"-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,address=127.0.0.1:{debug_port}")
    command += ["-cp", os.pathsep.join(map(str, class_path)), _MAIN_CLASS]
    return Launch(tuple(command), {}, task_root)
