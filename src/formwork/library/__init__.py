"""What the public packages offer beyond their own layer: generation, packages, contract tests, a registry and stacks.

`formwork.generate`, `formwork.package`, `formwork.contract`, `formwork.registry` and `formwork.stacks` export these
names, imported when they are first used; nothing else imports their `__init__` (docs/decisions/1337).
"""
