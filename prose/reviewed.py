"""What the check of wordings accepts, each with its reason."""

# Folders and files that are still to be rewritten. One that has no wording of the table left is a finding.
UNCONVERTED: tuple[str, ...] = ()

# Class names that are not unique yet, or a picture in place of the field's word. One that is in order is a finding.
UNCONVERTED_NAMES: tuple[str, ...] = ()

# Piece of text → why it stays. One that no file contains is a finding.
ACCEPTED: dict[str, str] = {}

# Class name that is defined more than once → why its definitions mean the same thing.
SHARED_NAMES: dict[str, str] = {}

# Paths that are not read.
SKIPPED = (
    "prose/substitutions.py",  # the table
    # written from the strings of the sources, which are read
    "docs/decisions/README.md",
    "docs/reference/cli.md",
    "docs/reference/contract.md",
    "docs/reference/diagnostics.md",
    "docs/reference/rules/",
)
