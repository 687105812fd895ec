"""The mutation campaign over the sample handlers: small changes of what `cfn init --sample` writes, judged by `cfn test`.

Mutants come from the sources' syntax trees, in Python and TypeScript alike: every statement deleted, every condition
negated, every value, comparison, error, argument and element replaced or left out. Where `cfn test` still passes,
`explained/` says why no clause of the handler contract forbids the change.

The reasons are in docs/decisions/0528.
"""
