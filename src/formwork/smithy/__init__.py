"""Smithy models as a library of its own: it knows nothing of CloudFormation."""
