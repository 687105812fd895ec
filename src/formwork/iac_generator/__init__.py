"""The IaC generator: scans of the resources of an account and Region, and templates generated from resources."""

from formwork.iac_generator.scans import ResourceScans, ScannedQuery
from formwork.iac_generator.templates import GeneratedTemplates, TemplateChange

__all__ = ["GeneratedTemplates", "ResourceScans", "ScannedQuery", "TemplateChange"]
