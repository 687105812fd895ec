"""The AWS CLI in a process that runs one command after the other, so that its start is paid for once.

Each command goes through the driver that the `aws` script makes, from its arguments to its exit code; what commands of
one account share is the session with its parsed service models. This file is also the program of that process: a line
of JSON in, a command; a line of JSON out, how it ended.
"""

import contextlib
import functools
import io
import json
import os
import subprocess
import sys


class AwsCliError(Exception):
    """A command that failed; the text is what it said."""


class AwsCli:
    """Runs commands against the endpoint `url`, with `home` as the user's folder."""

    def __init__(self, url, home, *, region):
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "AWS_ENDPOINT_URL": url,
            "AWS_SECRET_ACCESS_KEY": "x",
            "AWS_DEFAULT_REGION": region,
            "AWS_DEFAULT_OUTPUT": "json",
            "AWS_MAX_ATTEMPTS": "1",
        }
        self._process = subprocess.Popen(
            # -P: this file's folder, whose modules have names like `registry`, is not where imports are looked up.
            [sys.executable, "-P", __file__],
            env=self.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, *words, account):
        """What the command printed, as JSON where it is; `account` is its access key.

        Raises:
            AwsCliError: its exit code is not 0.
        """
        self._process.stdin.write(json.dumps({"words": [*map(str, words)], "account": account}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"the AWS CLI's process has ended with {self._process.wait(10)}"
        done = json.loads(line)
        if done["code"] != 0:
            raise AwsCliError(f"exit code {done['code']}: {done['err']}")
        return json.loads(done["out"]) if done["out"].startswith("{") else done["out"]

    def close(self):
        """End the process; whether it ended well."""
        self._process.stdin.close()
        self._process.stdout.close()
        assert self._process.wait(20) == 0


@functools.cache
def _driver(account):
    """The driver of one account: a session holds on to the credentials that it found first."""
    from awscli.clidriver import create_clidriver

    os.environ["AWS_ACCESS_KEY_ID"] = account
    driver = create_clidriver()
    assert driver.session.get_credentials().access_key == account
    return driver


def _run(words, account):
    """Run `aws` with the words; its exit code, and what it wrote to standard output and standard error."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = _driver(account).main(words)
        except SystemExit as error:
            code = error.code
    return {"code": code, "out": out.buffer.getvalue().decode(), "err": err.buffer.getvalue().decode()}


def _serve():
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_run(**json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    _serve()
