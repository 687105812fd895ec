"""The Model Context Protocol server of `cfn mcp`: its tools are commands of `cfn`, run as processes of their own.

The reasons are in docs/decisions/1353.
"""
