"""Stacks: templates in, handlers called as CloudFormation calls them, events out."""
