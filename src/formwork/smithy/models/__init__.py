"""The trait models that come with the toolkit, in the IDL.

They are shipped, because a model can be read only with the prelude and converted only with `aws.api`, `aws.iam` and
`aws.cloudformation`. Documentation is left out. The definitions follow Smithy 1.73 (Apache-2.0).
"""
