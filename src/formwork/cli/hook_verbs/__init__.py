"""The verbs of `cfn hook`."""
