"""What the operations work with."""

from typing import TYPE_CHECKING

from msgspec import Struct

from formwork.durable import Database, StateFolder, Work
from formwork.registry.settings import RegistrySettings

if TYPE_CHECKING:
    from formwork.registry.handlers import PackagedHandlers


class RegistryDependencies(Struct, frozen=True):
    """The database, its state folder, background work, settings; without `handlers` no handler can be run."""

    database: Database
    state: StateFolder
    work: Work
    settings: RegistrySettings
    handlers: "PackagedHandlers | None"
