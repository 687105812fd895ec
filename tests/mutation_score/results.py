"""What a measurement came to, kept in results/; survivors that no test can notice are explained in explained.toml."""

import json
import tomllib
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESULTS = HERE / "results"
_NOTICED = {"killed", "timeout", "types"}


def summarize(judged, total):
    """The result as JSON: `judged` is key → (mutant, verdict), `total` how many mutants the sample was taken of."""
    counts = Counter(verdict for _, verdict in judged.values())
    survived = [
        {"function": mutant.function, "before": list(mutant.before), "after": list(mutant.after), "verdict": verdict}
        for mutant, verdict in judged.values()
        if verdict not in _NOTICED
    ]
    return {
        "mutants": total,
        "sampled": len(judged),
        "killed": sum(counts[verdict] for verdict in _NOTICED),
        "by types": counts["types"],
        "survived": sorted(survived, key=lambda each: (each["function"], each["before"], each["after"])),
    }


def write_results(name, commit, result):
    """Keep a target's result, with the commit that was measured."""
    text = json.dumps({"commit": commit, **result}, indent=1, ensure_ascii=False)
    (RESULTS / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def load_results():
    """Every kept result by target."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))}


def load_explanations():
    """Target → (function, line after the change) → why no test can or should notice it."""
    found = tomllib.loads((HERE / "explained.toml").read_text(encoding="utf-8"))
    return {
        name: {(each["function"], each["after"]): each["why"] for each in entries} for name, entries in found.items()
    }
