"""The template of the role that CloudFormation assumes to run the handlers."""

from formwork.generate.roles.template import render_role

__all__ = ["render_role"]
