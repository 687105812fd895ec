"""The verbs of `cfn stack`."""
