"""Mixed work against one server for minutes, or an hour: what it holds stays what it was after the warm-up.

`SOAK_MINUTES=60` is the campaign; what each sample showed is written to the file that `SOAK_SAMPLES` names.
"""

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from support.campaign.calls import Calls
from support.campaign.preparing import prepare, tell_stories
from support.campaign.soak import grown, settled, soak
from support.serving import serving

MINUTES = float(os.environ.get("SOAK_MINUTES", "6"))
TURNS_PER_SECOND = float(os.environ.get("SOAK_RATE", "1"))
MOST_GROWTH = 1.05
NAMES = ("stack", "stack2", "nested", "import", "set", "control", "control2", "proved")


@pytest.mark.slow
@pytest.mark.timeout(MINUTES * 60 + 1800)
def test_what_a_server_holds_does_not_grow(tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    told = Path(os.environ.get("SOAK_SAMPLES", tmp_path / "samples.jsonl"))
    with serving(tmp_path) as server, told.open("w", encoding="utf-8", buffering=1) as file:
        calls = Calls(server.url)
        stories = tell_stories(calls, prepare(calls, tmp_path), NAMES)
        held = SimpleNamespace(pid=server.process.pid, temporary=temporary, state=tmp_path / "state")
        samples, wrong = soak(
            stories, held, minutes=MINUTES, turns_per_second=TURNS_PER_SECOND, note=lambda line: print(line, file=file)
        )
        server.stop()
    assert not wrong, "\n".join(wrong)
    warm = max(60, MINUTES * 10)  # ten minutes of an hour
    before, after = settled(samples, "resident_kb", warm)
    assert after <= before * MOST_GROWTH, f"{before} KB grew to {after} KB"
    # One or two connections of clients may be open at each sample of a half.
    assert [*grown(samples, "descriptors", warm, slack=2), *grown(samples, "temporary_folders", warm)] == []
