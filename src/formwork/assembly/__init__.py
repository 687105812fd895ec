"""Creates the registry and the engine with their dependencies, for servers and workers."""
