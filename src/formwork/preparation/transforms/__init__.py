"""Macros, which rewrite a template or a part of it before it is provisioned.

`processing` runs them in the service's order, `named` finds the macro of a name.
"""
