"""Generates projects in TypeScript, for the toolkit's handler library or AWS's."""
