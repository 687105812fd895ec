"""A project folder as a local Lambda service: the functions of its template, each run as its runtime needs.

`host.open_project_host` starts it with `settings.ProjectHostSettings`; `formwork.languages` makes the functions.
"""
