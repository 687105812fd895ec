"""Guard rules on one resource, warm, against a process of cfn-guard for each: CPU ms a resource."""

import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import cloudformation_validate as engine

from bench.incumbent import REPOSITORY
from bench.measure import Command, compare
from bench.small import SMALL
from bench.table import Row
from formwork.hooks.guard.rules import RuleFile, evaluate_rules

RULES = REPOSITORY / "tests" / "data" / "guard" / "rules"
# Where the tests keep the program and the rules of Control Tower that they fetch.
CACHE = Path(os.environ.get("FORMWORK_TEST_CACHE") or Path.home() / ".cache" / "formwork-tests")
MOST = 50.0  # CPU ms for a resource
TIMES = 3 if SMALL else 30
FEW = 30  # files of the public rules that one hook may have
BUCKET = {"Type": "AWS::S3::Bucket", "Properties": {"BucketName": "a", "Tags": [{"Key": "Owner", "Value": "b"}]}}
DOCUMENT = {"Resources": {"Bucket": BUCKET}}
WITHOUT_BUCKETS = "blocks"  # a type block ends the evaluation of a document without such resources


def main() -> Iterator[Row]:
    """Time sets of rules: ours, and those of AWS Control Tower where the tests have fetched them."""
    own = sorted(each for each in RULES.glob("*.guard") if each.stem != WITHOUT_BUCKETS)
    yield _row("rules of every construct", own, MOST)
    public = sorted(max(CACHE.glob("guard-rules-*"), default=CACHE / "no rules").rglob("*.guard"))
    if public:
        yield _row("rules of Control Tower", public[:: len(public) // FEW], MOST)
        yield _row("rules of Control Tower", public, None)


def _row(name: str, paths: Sequence[Path], limit: float | None) -> Row:
    files = [RuleFile(each.name, each.read_text(encoding="utf-8")) for each in paths]
    verdict = evaluate_rules(files, DOCUMENT)
    taken = []
    for _ in range(TIMES):
        started = time.process_time()
        evaluate_rules(files, DOCUMENT)
        taken.append((time.process_time() - started) * 1000)
    rules = f"{len(verdict.rules)} {name} in {len(files)} files"
    theirs = _process(paths, 19 if verdict.failed else 0)
    note = "cfn-guard not found" if theirs is None else "the incumbent is a process of cfn-guard"
    return Row(rules, "ms", statistics.median(taken), theirs, limit=limit, note=note, floor=_engine(files))


def _engine(files: Sequence[RuleFile]) -> float:
    """CPU milliseconds in which AWS's engine alone evaluates the rules, the median."""
    sources = [engine.ExternalRuleSource(name=each.name, content=each.content) for each in files]
    compiled = engine.CompositeEngine(engine.CompositeEngineConfig(guard_rules=sources))
    content = engine.TemplateContent(json.dumps(DOCUMENT), "input")
    settings = engine.ValidateConfig(disable_builtin_rules=True)
    taken = []
    for _ in range(TIMES):
        started = time.process_time()
        compiled.validate_template(content, settings)
        taken.append((time.process_time() - started) * 1000)
    return statistics.median(taken)


def _process(paths: Sequence[Path], code: int) -> float | None:
    """CPU milliseconds of a process of cfn-guard that ends with `code`; None without the program."""
    kept = next(CACHE.glob("cfn-guard-*/bin/cfn-guard"), None)
    program = os.environ.get("FORMWORK_CFN_GUARD") or (str(kept) if kept else shutil.which("cfn-guard"))
    if program is None:
        return None
    with tempfile.TemporaryDirectory(prefix="formwork-bench-") as folder:
        document = Path(folder) / "document.json"
        document.write_text(json.dumps(DOCUMENT), encoding="utf-8")
        rules = [word for path in paths for word in ("--rules", str(path))]
        words = [program, "validate", *rules, "--data", str(document), "--structured", "-o", "json", "-S", "none"]
        (cost,) = compare([Command(words, expect=code)], runs=3 if SMALL else 7)
        return cost.cpu
