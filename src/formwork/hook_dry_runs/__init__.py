"""Dry runs: hooks asked about templates, change sets, modules and deployed stacks, without deploying anything."""
