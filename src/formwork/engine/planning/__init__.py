"""Requests for stacks, and the deployments and changes that they result in."""
