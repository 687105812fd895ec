"""Hooks: which of them look at an operation, and what they say."""

from formwork.engine.hooks.active import ActiveHook, HookCall, HookFailed, HookOutcome, HookPassed, HookWaiting
from formwork.engine.hooks.settings import FailureMode, HookSettings, read_hook_settings

__all__ = [
    "ActiveHook",
    "FailureMode",
    "HookCall",
    "HookFailed",
    "HookOutcome",
    "HookPassed",
    "HookSettings",
    "HookWaiting",
    "read_hook_settings",
]
