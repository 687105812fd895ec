"""The target of a package: Lambda's Python version and architecture, as options of pip and values of markers."""

from msgspec import Struct

from formwork.package.template import Architecture


class Target(Struct, frozen=True):
    """A Lambda runtime of Python, such as version "3.11" on x86_64."""

    python: str
    architecture: Architecture

    @property
    def machine(self) -> str:
        """Linux's name of the architecture."""
        return "aarch64" if self.architecture is Architecture.ARM64 else "x86_64"

    @property
    def platforms(self) -> tuple[str, ...]:
        """Tags of wheels that run on the target, newest first, up to the runtime's version of glibc."""
        minor = int(self.python.split(".")[1])
        newest_glibc = 34 if minor >= 12 else 26  # Amazon Linux 2023, Amazon Linux 2
        tags = [f"manylinux_2_{glibc}_{self.machine}" for glibc in range(newest_glibc, 4, -1)]
        old = (
            ("manylinux2014",)
            if self.architecture is Architecture.ARM64
            else ("manylinux2014", "manylinux2010", "manylinux1")
        )
        return (*tags, *(f"{each}_{self.machine}" for each in old))

    @property
    def pip_options(self) -> tuple[str, ...]:
        """The options that make pip choose wheels for this target instead of its own Python."""
        abi = f"cp{self.python.replace('.', '')}"
        platforms = (option for tag in self.platforms for option in ("--platform", tag))
        return (
            "--implementation=cp",
            f"--python-version={self.python}",
            *(f"--abi={each}" for each in (abi, "abi3", "none")),
            *platforms,
        )

    @property
    def markers(self) -> dict[str, str]:
        """The environment in which markers of requirements are evaluated."""
        return {
            "implementation_name": "cpython",
            "implementation_version": f"{self.python}.0",
            "os_name": "posix",
            "platform_machine": self.machine,
            "platform_python_implementation": "CPython",
            "platform_release": "",
            "platform_system": "Linux",
            "platform_version": "",
            "python_full_version": f"{self.python}.0",
            "python_version": self.python,
            "sys_platform": "linux",
        }

    def __str__(self) -> str:
        return f"Python {self.python} on Lambda ({self.architecture})"
