"""The registry and the engine put together with what they work with, the same for servers and for workers."""
