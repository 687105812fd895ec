"""Models to IDL text."""

from formwork.smithy.idl.printing.printer import print_idl

__all__ = ["print_idl"]
