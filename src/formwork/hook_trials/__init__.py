"""Hooks tried on templates, change sets, modules and stacks that are there, without deploying anything."""
