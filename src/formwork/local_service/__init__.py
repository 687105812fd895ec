"""The local service: the API, the assembly and the stand-ins on one socket, started and ended in order.

The reasons are in docs/decisions/0902.
"""
