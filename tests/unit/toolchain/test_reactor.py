"""Which multi-module build a Java project belongs to, and what it is built from outside of its folder."""

import pytest

from formwork.toolchain.reactor import find_reactor, outside_inputs

NAMES = ("src", "pom.xml")


def write_pom(folder, name, *, parent=None, modules=(), more=""):
    """A pom.xml, or the file `folder` where that ends in .xml."""
    file = folder if folder.suffix == ".xml" else folder / "pom.xml"
    file.parent.mkdir(parents=True, exist_ok=True)
    above = "" if parent is None else f"<parent><artifactId>all</artifactId>{parent}</parent>"
    listed = "".join(f"<module>{each}</module>" for each in modules)
    space = 'xmlns="urn:example:pom"'
    file.write_text(
        f"<project {space}>{above}<artifactId>{name}</artifactId><modules>{listed}</modules>{more}</project>"
    )
    return file


def needs(*names):
    return "".join(f"<dependency><artifactId>{each}</artifactId></dependency>" for each in names)


def test_the_root_is_the_outermost_aggregator(tmp_path):
    project = tmp_path / "types" / "thing"
    top = write_pom(tmp_path, "all", modules=["types", "common"])
    middle = write_pom(tmp_path / "types", "types", modules=["thing"])
    write_pom(project, "thing-handler", parent="")
    reactor = find_reactor(project)
    assert reactor.aggregators == (middle, top)
    assert reactor.root == tmp_path
    assert reactor.options == ("-f", "pom.xml", "-pl", "types/thing", "-am")


@pytest.mark.parametrize("module", ["types/thing", "types/thing/pom.xml", "./types/../types/thing"])
def test_folders_between_need_no_pom(tmp_path, module):
    write_pom(tmp_path, "all", modules=[module])
    write_pom(tmp_path / "types" / "thing", "thing-handler")
    assert find_reactor(tmp_path / "types" / "thing").options[3] == "types/thing"


def test_an_aggregator_beside_the_module_is_found_as_its_parent(tmp_path):
    write_pom(tmp_path / "build" / "all.xml", "all", modules=["../thing"])
    project = tmp_path / "thing"
    write_pom(project, "thing-handler", parent="<relativePath>../build/all.xml</relativePath>")
    assert find_reactor(project).options == ("-f", "all.xml", "-pl", "../thing", "-am")


@pytest.mark.parametrize("parent", ["", "<relativePath/>", "<relativePath>../gone.xml</relativePath>"])
def test_a_project_that_nothing_lists_is_built_by_itself(tmp_path, parent):
    write_pom(tmp_path, "all", modules=["other"])
    write_pom(tmp_path / "thing", "thing-handler", parent=parent)
    write_pom(tmp_path / "other", "other", more=needs("thing-handler"))
    assert find_reactor(tmp_path / "thing") is None
    assert outside_inputs(tmp_path / "thing", NAMES) == ((tmp_path / "pom.xml",) if parent == "" else ())


def profile(name, module, *, lists="modules", activation=""):
    listed = f"<{lists}><{lists[:-1]}>{module}</{lists[:-1]}></{lists}>"
    return f"<profiles><profile><id>{name}</id>{activation}{listed}</profile></profiles>"


@pytest.mark.parametrize("lists", ["modules", "subprojects"])
def test_a_module_that_a_profile_lists_is_built_with_that_profile(tmp_path, lists):
    write_pom(tmp_path, "all", more=profile("handlers", "thing", lists=lists))
    write_pom(tmp_path / "thing", "thing-handler")
    assert find_reactor(tmp_path / "thing").options == ("-f", "pom.xml", "-pl", "thing", "-am", "-P", "handlers")


def test_what_is_there_without_a_profile_names_none(tmp_path):
    """Naming one turns off those that are active by default."""
    active = "<activation><activeByDefault>true</activeByDefault></activation>"
    write_pom(tmp_path / "a", "all", more=profile("handlers", "thing", activation=active))
    write_pom(tmp_path / "b", "all", modules=["thing"], more=profile("handlers", "thing"))
    for name in "ab":
        write_pom(tmp_path / name / "thing", "thing-handler")
        assert find_reactor(tmp_path / name / "thing").options == ("-f", "pom.xml", "-pl", "thing", "-am")


def test_subprojects_are_modules(tmp_path):
    write_pom(
        tmp_path, "all", more="<subprojects><subproject>thing</subproject><subproject>base</subproject></subprojects>"
    )
    write_pom(tmp_path / "thing", "thing-handler", more=needs("base"))
    base = write_pom(tmp_path / "base", "base")
    assert find_reactor(tmp_path / "thing").options == ("-f", "pom.xml", "-pl", "thing", "-am")
    assert base in outside_inputs(tmp_path / "thing", NAMES)


def test_aggregators_that_list_each_other_end(tmp_path):
    write_pom(tmp_path, "all", modules=["thing"])
    write_pom(tmp_path / "thing", "thing-handler", modules=[".."])
    assert find_reactor(tmp_path / "thing").root == tmp_path


def test_parents_outside_the_folder_are_what_a_project_is_built_from(tmp_path):
    project = tmp_path / "types" / "thing"
    write_pom(project, "thing-handler", parent="")
    middle = write_pom(tmp_path / "types", "types", parent="<relativePath>..</relativePath>")
    assert outside_inputs(project, NAMES) == (middle,)
    top = write_pom(tmp_path, "all")
    assert outside_inputs(project, NAMES) == (middle, top)


def test_the_modules_that_are_built_before_it_are_inputs(tmp_path):
    write_pom(tmp_path, "all", modules=["thing", "common", "base", "later"])
    write_pom(tmp_path / "thing", "thing-handler", parent="", more=needs("common", "elsewhere"))
    write_pom(tmp_path / "common", "common", parent="", more=needs("base"))
    write_pom(tmp_path / "base", "base", parent="<relativePath>../build.xml</relativePath>")
    write_pom(tmp_path / "build.xml", "build")
    write_pom(tmp_path / "later", "later", more=needs("thing-handler"))
    (tmp_path / "base" / "acme-base.json").write_text("{}")
    found = {str(each.relative_to(tmp_path)) for each in outside_inputs(tmp_path / "thing", NAMES)}
    modules = {"common/src", "common/pom.xml", "base/src", "base/pom.xml", "base/acme-base.json", "build.xml"}
    assert found == {"pom.xml", "src", ".mvn", *modules}
