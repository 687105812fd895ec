"""`python -m formwork`: the `cfn` command."""

from formwork.cli.entry import run

if __name__ == "__main__":
    raise SystemExit(run())
