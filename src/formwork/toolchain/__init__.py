"""The compilers, interpreters and package tools of languages: found, asked for their version, and run.

One file a tool. Nothing here knows handlers: `formwork.languages` says what is built and run.
"""

from formwork.toolchain.build import BuildSettings, run_build
from formwork.toolchain.cache import build_once, content_key
from formwork.toolchain.tool import Tool, Version

__all__ = ["BuildSettings", "Tool", "Version", "build_once", "content_key", "run_build"]
