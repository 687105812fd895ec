"""A server that is killed again and again in the middle of mixed work, on one state folder, from a seed."""

import contextlib
import os
import random
import socket
import subprocess
import threading
import time
import traceback
from dataclasses import dataclass

from botocore.exceptions import ClientError
from botocore.parsers import ResponseParserError

from support.campaign.calls import LOST, Calls
from support.campaign.left_over import processes_of, unfinished_rows
from support.campaign.preparing import prepare, tell_stories
from support.campaign.wall_clock import DAY
from support.forked import ForkedCommand

NAMES = ("stack", "nested", "import", "set", "control")
# Contract tests begin again in each life, which takes most of the processor: every second seed has them.
PROVED = "proved"
_LONGEST_LIFE_SECONDS = 2.0
_START_SHARE = 0.12  # of the kills: while the server starts
_START_SECONDS = 0.6
_DYING_SECONDS = 10  # between the cut of a connection and the end of its process
_PATIENCE_SECONDS = 240  # until everything has ended once nothing is killed any more


@dataclass
class Result:
    """What a seed came to: how often the server was killed, in what, and what was wrong."""

    seed: int
    kills: int = 0
    kills_while_starting: int = 0
    clock_jumps: int = 0
    turns: int = 0
    turns_by_kind: dict = None
    seconds: int = 0
    wrong: list = None


class Campaign:
    """One seed: a folder, a server at one address through its lives, and stories that go on through them."""

    def __init__(self, seed, folder, clock, database=None, older=None):
        """`older` is the Python of an older Formwork, whose servers live until half of the kills."""
        self.older, self.lives_of_older = older, 0
        self.moments = random.Random(seed)
        self.result = Result(seed, wrong=[], turns_by_kind={})
        self.folder, self.clock = folder, clock
        self.temporary = folder / "temporary"
        self.temporary.mkdir()
        self.database = database
        self.port = _free_port()
        self.calls = Calls(f"http://127.0.0.1:{self.port}")
        self.stories, self.ledger, self.process = [], None, None

    def run(self, kills):
        """Kill so often, then let everything come to its end; the result."""
        started = time.monotonic()
        self.lives_of_older = 0 if self.older is None else kills // 2
        self.clock.set(0)
        try:
            self._run(kills)
        except Exception:  # noqa: BLE001 - a seed that can't go on is a finding too
            self.result.wrong.append(traceback.format_exc())
        self.result.seconds = round(time.monotonic() - started)
        return self.result

    def _run(self, kills):
        with self._life() as process:
            self._await_ready(process)
            self.ledger = prepare(self.calls, self.folder)
            names = NAMES if self.result.seed % 2 else (*NAMES, PROVED)
            self.stories = tell_stories(self.calls, self.ledger, names)
            self._work_until_killed(process)
        while self.result.kills < kills and not self.result.wrong:
            self._set_clock()
            with self._life() as process:
                if self.moments.random() < _START_SHARE:
                    time.sleep(self.moments.uniform(0, _START_SECONDS))
                    self.result.kills_while_starting += 1
                    self._kill(process)
                else:
                    self._await_ready(process)
                    self._work_until_killed(process)
        if not self.result.wrong:
            self._finish()

    @contextlib.contextmanager
    def _life(self):
        environment = {
            **os.environ,
            "FORMWORK_CACHE": str(self.folder / "cache"),
            "FORMWORK_STATE": str(self.folder / "state"),
            "TMPDIR": str(self.temporary),
        }
        database = [] if self.database is None else ["--database", self.database]
        words = ["serve", "--port", str(self.port), *database]
        is_older = self.result.kills < self.lives_of_older
        with (self._start_older if is_older else ForkedCommand)(words, cwd=self.folder, env=environment) as process:
            self.process = process
            try:
                yield process
            finally:
                if process.poll() is None:
                    process.kill()

    def _start_older(self, words, *, cwd, env):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        return subprocess.Popen([self.older, "-m", "formwork", *words], cwd=cwd, env=env, **pipes)

    @staticmethod
    def _await_ready(process):
        line = process.stdout.readline()
        assert line.startswith("ready "), f"the server did not start: {line}{process.stderr.read()}"

    def _set_clock(self):
        if self.moments.random() < 0.4:
            self._jump()

    def _jump(self):
        """Set the clock by a day, forwards or back, but never far away from the machine's."""
        self.clock.set(max(-DAY, min(DAY, self.clock.shift + self.moments.choice([-DAY, DAY]))))
        self.result.clock_jumps += 1

    def _kill(self, process):
        process.kill()
        process.wait()
        self.result.kills += 1

    def _work_until_killed(self, process):
        """Go on with the stories until the server dies at a random moment; the clock may be set before."""
        life = self.moments.uniform(0, _LONGEST_LIFE_SECONDS)
        jump = self.moments.uniform(0, life) if self.moments.random() < 0.3 else None
        turns = random.Random(self.moments.random())  # the order of calls depends on timing, the moments don't
        timers = [threading.Timer(life, process.kill)]
        if jump is not None:
            timers.append(threading.Timer(jump, self._jump))
        for timer in timers:
            timer.start()
        while process.poll() is None:
            self._advance(turns.choice(self.stories))
            time.sleep(0.01)
        for timer in timers:
            timer.join()
        self.result.kills += 1

    def _advance(self, story):
        try:
            found = story.advance()
        except LOST:
            return
        except (KeyError, ResponseParserError):  # of an answer that was cut short
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(_DYING_SECONDS)
                return
            raise
        except ClientError as error:
            found = [f"{story.describe()}: {error}"]
        if found is not None:
            self.result.turns += 1
            kind = story.name
            self.result.turns_by_kind[kind] = self.result.turns_by_kind.get(kind, 0) + 1
            self.result.wrong += found

    def _finish(self):
        """Have every story end its circle in a life that is not cut short, and look for what is left."""
        with self._life() as process:
            self._await_ready(process)
            ends = time.monotonic() + _PATIENCE_SECONDS
            while (waiting := [each for each in self.stories if not each.is_between_circles]) and not self.result.wrong:
                for story in waiting:
                    self._advance(story)
                if time.monotonic() > ends:
                    self.result.wrong += [f"stuck: {each.describe()}" for each in waiting]
                time.sleep(0.05)
            process.send_signal(15)
            code = process.wait(60)
            if code != 0:
                self.result.wrong.append(f"the server ended with {code}: {process.stderr.read()}")
        if not self.result.wrong:
            self._look_for_what_is_left()

    def _look_for_what_is_left(self):
        self.result.wrong += [f"left in the ledger: {each}" for each in self.ledger.live().items()]
        self.result.wrong += [f"made twice: {each}" for each in self.ledger.made_twice()]
        self.result.wrong += unfinished_rows(self.folder / "state", self.database)
        self.result.wrong += [f"a process is left: {each}" for each in processes_of(self.temporary)]
        self.result.wrong += [f"a temporary file is left: {each.name}" for each in self.temporary.iterdir()]


def _free_port():
    """A port below those that the system gives to clients: it must be free again in every life."""
    while True:
        port = random.SystemRandom().randrange(10000, 32000)
        with contextlib.suppress(OSError), socket.socket() as tried:
            tried.bind(("127.0.0.1", port))
            return port
