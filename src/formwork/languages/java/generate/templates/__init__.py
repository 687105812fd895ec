"""Templates of the files of new and generated projects."""

from pathlib import Path

TEMPLATES = Path(__file__).parent
