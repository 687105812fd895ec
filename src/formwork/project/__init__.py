"""The project folder as values: `.rpdk-config`, the schema's place, inputs, overrides, targets, type configuration."""

from formwork.project.config import CONFIG_FILE, ProjectConfig, parse_config, render_config
from formwork.project.names import ExtensionKind, arn_name, hyphenated_name, is_type_name, package_name
from formwork.project.project import Project, is_project, load_project

__all__ = [
    "CONFIG_FILE",
    "ExtensionKind",
    "Project",
    "ProjectConfig",
    "arn_name",
    "hyphenated_name",
    "is_project",
    "is_type_name",
    "load_project",
    "package_name",
    "parse_config",
    "render_config",
]
