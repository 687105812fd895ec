"""What became of the mutants: the stored verdicts, and the reviewed list of those that survive."""

import json
from dataclasses import dataclass
from pathlib import Path

import yaml

from support.mutation.samples import SAMPLES

GOLDEN = Path(__file__).parents[2] / "golden" / "mutation"
EXPLAINED = Path(__file__).with_name("explained")
EQUIVALENT = "equivalent"
ALLOWED = "allowed"


@dataclass(frozen=True)
class Explanation:
    """Why a mutant survives: EQUIVALENT (CloudFormation sees no difference), or ALLOWED (no clause forbids it)."""

    kind: str
    why: str


def explanations(sample):
    """{(file, mutant): explanation} of a sample."""
    found = {}
    for group in yaml.safe_load((EXPLAINED / f"{sample}.yaml").read_text(encoding="utf-8")) or []:
        for file, names in group["mutants"].items():
            for name in names:
                assert (file, name) not in found, f"explained twice: {file} {name}"
                found[file, name] = Explanation(group["kind"], group["why"])
    return found


def part_path(sample, part):
    """Where the verdicts of a part are kept."""
    return GOLDEN / sample / f"{part}.json"


def stored(sample):
    """{(file, mutant): verdict} of all parts of a sample."""
    found = {}
    for part in range(1, SAMPLES[sample].parts + 1):
        kept = json.loads(part_path(sample, part).read_text(encoding="utf-8"))
        found |= {(file, name): verdict for file, mutants in kept.items() for name, verdict in mutants.items()}
    return found
