"""Formwork: the CloudFormation extension toolkit that needs no cloud."""

__version__ = "0.1.0"
