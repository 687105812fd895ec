"""An embedded CloudFormation registry: types, versions, configuration, activation, publishing and their tests.

`Registry` has one method an operation of AWS's API, over frozen requests and results; each operation group is a file.
`checking` and `packages` judge what is registered, `handlers` runs it, `tables` holds it.

The reasons are in docs/decisions/1003.
"""

from formwork.registry.errors import RegistryError
from formwork.registry.registry import Registry
from formwork.registry.settings import HandlerSettings, RegistrySettings

__all__ = ["HandlerSettings", "Registry", "RegistryError", "RegistrySettings"]
