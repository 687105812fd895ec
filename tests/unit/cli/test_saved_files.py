"""Which saved files start a run."""

from formwork.cli.saved_files import SavedFiles


def test_sources_and_files_elsewhere_are_noticed_and_nothing_else(tmp_path):
    project, template = tmp_path / "project", tmp_path / "stack.yaml"
    for folder in ("src", "docs", ".git"):
        (project / folder).mkdir(parents=True)
    files = SavedFiles(project, {project / "report.json"}, (template,))
    assert files.changed() == frozenset()
    (project / "src" / "handlers.py").write_text("1")
    (project / "model.smithy").write_text("1")
    for name in ("docs/a.json", ".git/a.json", "report.json", "data.db"):
        (project / name).write_text("1")
    template.write_text("{}")
    assert files.changed() == {"src/handlers.py", "model.smithy", "../stack.yaml"}
    assert files.changed() == frozenset()
    template.unlink()
    assert files.wait() == {"../stack.yaml"}


def test_what_is_forgotten_is_not_reported(tmp_path):
    files = SavedFiles(tmp_path, ())
    (tmp_path / "a.py").write_text("1")
    files.forget()
    assert files.changed() == frozenset()
