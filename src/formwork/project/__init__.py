"""The project folder as values: `.rpdk-config`, the schema's place, inputs, overrides, targets, type configuration."""

from formwork.project.config import CONFIG_FILE, ProjectConfig, parse_config, render_config
from formwork.project.project import Project, is_project, load_project

__all__ = [
    "CONFIG_FILE",
    "Project",
    "ProjectConfig",
    "is_project",
    "load_project",
    "parse_config",
    "render_config",
]
