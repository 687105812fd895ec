"""Signals: programs tell a stack that what they do for it is done, or that it failed.

Presigned URLs have the paths of AWS's buckets on the service's own port, so that clients that PUT to what they were
given work unchanged. The `Signature` is a random word compared in constant time. Signals are stored in a table that the
waiting step reads every second: with several processes none of them knows which one waits.
"""
