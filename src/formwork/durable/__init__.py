"""The database and durable background work: one mechanism, used by the registry and the engine.

database     SQLite in a state folder, or PostgreSQL by URL: the same code, the same migrations
state_folder the folder's lock, temporary names and atomic moves
heartbeat    which workers are alive; the workflows of dead ones are released
workflows    work in recorded steps that outlives its process
"""

from formwork.durable.database import Database, Durability, open_database
from formwork.durable.state_folder import StateFolder
from formwork.durable.work import Work, WorkStopped

__all__ = ["Database", "Durability", "StateFolder", "Work", "WorkStopped", "open_database"]
