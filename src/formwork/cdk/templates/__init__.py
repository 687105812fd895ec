"""The module that generated constructs of a language share, written beside them."""

from pathlib import Path

TEMPLATES = Path(__file__).parent
