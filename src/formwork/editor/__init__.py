"""The language server: what editors show while schemas, templates and models are written.

`server.EditorServer` answers the requests of the Language Server Protocol 3.17 over two streams. It reads documents,
schemas, projects, templates and models through what their packages export, and is given the rest as `Surroundings`.

The reasons are in docs/decisions/1352.
"""
