"""Tests of what handlers do when a call of theirs fails: `cfn test --faults`.

Each scenario runs one operation in which one call fails in one way, then does what CloudFormation does (retries,
delivers again, rolls back), and compares what exists with what a run without failures leaves.

The reasons are in docs/decisions/1312.
"""
