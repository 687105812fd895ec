# Copied by `cfn generate` from Formwork's handler library; changes are lost.
"""The support code of the models: Formwork's handler library if it is installed, else the copies in this folder."""

from typing import TYPE_CHECKING

__all__ = ["BaseModel", "shapes"]

if TYPE_CHECKING:
    from cloudformation_cli_python_lib import shapes
    from cloudformation_cli_python_lib.model import BaseModel
else:
    try:
        from cloudformation_cli_python_lib import shapes
        from cloudformation_cli_python_lib.model import BaseModel
    except ImportError:
        from . import shapes
        from .model import BaseModel
