"""One target under atheris, in a process of its own: `python -m fuzz.run TARGET FOLDER SECONDS`; see `campaign`.

FOLDER/corpus/ is read and added to. Every defect becomes a file in FOLDER/findings/, once for each place in the code;
a hang or a crash of the interpreter ends the process and leaves its input there too.
"""

import hashlib
import importlib
import json
import sys
import traceback
from pathlib import Path

import atheris

from fuzz.kept import HANG_SECONDS, MAX_BYTES
from fuzz.mutations import Mutator

_INSTRUMENTED = ("formwork", "jsonata")
_MEMORY_MB = 3_000
_NOT_OURS = ("/tests/fuzz/", "<frozen", "/asyncio/", "/anyio/")


class Recorder:
    """Runs inputs, and keeps one for each kind of defect."""

    def __init__(self, check, folder):
        self._check, self._folder = check, folder
        self._known = {json.loads(each.read_text())["what"] for each in folder.glob("*.json")}

    def __call__(self, data):
        try:
            self._check(data)
        except Exception as error:  # noqa: BLE001 - only what the targets foresee may leave them
            what = describe(error)
            if what not in self._known:
                self._known.add(what)
                name = hashlib.sha1(data).hexdigest()[:16]
                (self._folder / name).write_bytes(data)
                told = {"what": what, "traceback": "".join(traceback.format_exception(error))[-6_000:]}
                (self._folder / f"{name}.json").write_text(json.dumps(told, indent=1))
                print(f"DEFECT {name}: {what}", file=sys.stderr, flush=True)


def describe(error):
    """Kind and place of a defect, the same for inputs that show the same one."""
    frames = [
        each for each in traceback.extract_tb(error.__traceback__) if not any(p in each.filename for p in _NOT_OURS)
    ]
    ours = [each for each in frames if "/formwork/" in each.filename] or frames
    if isinstance(error, RecursionError):
        return f"RecursionError in {Path(ours[len(ours) // 2].filename).name}"
    place = f"{Path(ours[-1].filename).name} {ours[-1].name}: {ours[-1].line}" if ours else str(error)[:80]
    return f"{type(error).__name__} in {place}"


def main(target, folder, seconds):
    folder = Path(folder)
    with atheris.instrument_imports(include=_INSTRUMENTED, enable_loader_override=False):
        module = importlib.import_module(f"fuzz.targets.{target}")
        seeds = list(module.seeds())
        with module.opened() as check:
            recorder = Recorder(check, folder / "findings")
            for seed in seeds:
                recorder(seed)  # has everything imported that is imported when it is needed
            _fuzz(recorder, Mutator(seeds), folder, seconds)


def _fuzz(recorder, mutator, folder, seconds):
    def mutate(data, most, seed):
        changed = None if seed % 4 == 0 else mutator.mutate(data, seed)
        return atheris.Mutate(data, most) if changed is None or len(changed) > most else changed

    options = [
        f"-max_total_time={seconds}",
        f"-timeout={HANG_SECONDS}",
        f"-max_len={MAX_BYTES}",
        f"-rss_limit_mb={_MEMORY_MB}",
        f"-artifact_prefix={folder}/findings/",
    ]
    atheris.Setup([sys.argv[0], *options, str(folder / "corpus")], recorder, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main(*sys.argv[1:])
