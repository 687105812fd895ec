"""The real CloudFormation and Cloud Control APIs over HTTP: decode, call the registry or the engine, encode.

The reasons are in docs/decisions/1301 and 1303.
"""
