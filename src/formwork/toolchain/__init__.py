"""The compilers and package tools of languages other than Python: found, asked for their version, and run.

One file a tool. Nothing here knows of projects or Lambda; `invoke` and `package` say what is to be built.
"""

from formwork.toolchain.build import BuildSettings, run_build
from formwork.toolchain.cache import build_once, content_key
from formwork.toolchain.tool import Tool, Version

__all__ = ["BuildSettings", "Tool", "Version", "build_once", "content_key", "run_build"]
