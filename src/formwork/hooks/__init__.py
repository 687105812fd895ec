"""Hooks: which of them look at an operation, and what they say."""

from formwork.hooks.active import (
    MOST_CALLS,
    ActiveHook,
    HookCall,
    HookFailed,
    HookOutcome,
    HookPassed,
    HookWaiting,
    find_hooks,
)
from formwork.hooks.settings import FailureMode, HookSettings, read_hook_settings
from formwork.hooks.target import HookTarget, TargetKind

__all__ = [
    "MOST_CALLS",
    "ActiveHook",
    "FailureMode",
    "HookCall",
    "HookFailed",
    "HookOutcome",
    "HookPassed",
    "HookSettings",
    "HookTarget",
    "HookWaiting",
    "TargetKind",
    "find_hooks",
    "read_hook_settings",
]
