"""The local service: the API, the assembly and the stand-ins on one socket, started and ended in order."""
