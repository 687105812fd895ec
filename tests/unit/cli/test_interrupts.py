"""Ctrl-C is a KeyboardInterrupt, after whatever is being imported."""

import os
import signal
import subprocess
import sys
import time

SLOW = "import time\nfor _ in range(50):\n    time.sleep(0.01)\nprint('imported', flush=True)\n"
PROGRAM = """
import sys, time
sys.path.insert(0, sys.argv[1])
from formwork.cli.interrupts import install_handler
install_handler()
print("ready", flush=True)
try:
    import slow_to_import
    time.sleep(30)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def test_an_import_is_finished_first(tmp_path):
    (tmp_path / "slow_to_import.py").write_text(SLOW)
    with subprocess.Popen([sys.executable, "-c", PROGRAM, tmp_path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
    assert out.splitlines() == ["imported", "interrupted"]


def test_somebody_elses_handler_stays():
    code = (
        "import signal; from formwork.cli.interrupts import install_handler\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN); install_handler()\n"
        "assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN"
    )
    assert subprocess.run([sys.executable, "-c", code], env=os.environ, check=False).returncode == 0
