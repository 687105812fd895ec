"""Wheels and source distributions made on the spot, for a pip that has no network."""

import io
import tarfile
import zipfile

BACKEND = """
import zipfile

def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = "{file}"
    with zipfile.ZipFile(wheel_directory + "/" + name, "w") as wheel:
        wheel.writestr("{module}/__init__.py", "")
        for extra in {extra!r}:
            wheel.writestr(extra, "binary")
        info = "{module}-{version}.dist-info/"
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: {name}\\nVersion: {version}\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: {tag}\\n")
        wheel.writestr(info + "RECORD", "")
    return name
"""


def make_wheel(folder, name, version="1.0", *, requires=(), files=None, tag="py3-none-any"):
    """A wheel of a package that is named like its distribution, with `files` (path → text) beside its `__init__.py`."""
    module = name.replace("-", "_")
    info = f"{module}-{version}.dist-info"
    needs = "".join(f"Requires-Dist: {each}\n" for each in requires)
    contents = {
        f"{module}/__init__.py": f"NAME = {name!r}\n",
        **(files or {}),
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{needs}",
        f"{info}/WHEEL": f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tag}\n",
        f"{info}/licenses/LICENSE": "free",
    }
    contents[f"{info}/RECORD"] = "".join(f"{each},,\n" for each in [*contents, f"{info}/RECORD"])
    path = folder / f"{module}-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        for place, text in contents.items():
            wheel.writestr(place, text)
    return path


def make_sdist(folder, name, version="1.0", *, tag="py3-none-any", extra=()):
    """A source distribution whose build needs nothing and makes a wheel of that tag, with files `extra` in it."""
    module = name.replace("-", "_")
    backend = BACKEND.format(
        file=f"{module}-{version}-{tag}.whl", module=module, name=name, version=version, tag=tag, extra=list(extra)
    )
    texts = {
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        f'[project]\nname = "{name}"\nversion = "{version}"\n',
        "PKG-INFO": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        "backend.py": backend,
    }
    path = folder / f"{module}-{version}.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for place, text in texts.items():
            entry = tarfile.TarInfo(f"{module}-{version}/{place}")
            data = text.encode()
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return path
