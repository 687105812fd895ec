"""How to install an extra of Formwork: never by its name alone, which belongs to no one on the package index.

The reasons are in docs/decisions/0001 and 0009.
"""


def install_extra(extra: str) -> str:
    """Return the hint for what needs `extra`."""
    return (
        f"install Formwork with the extra {extra}: pip install '.[{extra}]' in its checkout, or PATH_OF_WHEEL[{extra}]"
    )
