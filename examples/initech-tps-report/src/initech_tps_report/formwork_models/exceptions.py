# Copied by `cfn generate` from Formwork's handler library; changes are lost.
from cloudformation_cli_python_lib.exceptions import InvalidRequest

__all__ = ["InvalidRequest"]
