"""Dependencies for Lambda, from local wheels alone: which are installed, built, refused, left out."""

import os
import sys
import venv

import pytest

from formwork.diagnostics import BadInputError, EnvironmentProblemError
from formwork.languages.python.packaging.distributions import follow_needs, read_distributions
from formwork.languages.python.packaging.resolving import install_for
from formwork.languages.python.packaging.slim import choose_members
from formwork.languages.python.packaging.target import Target
from formwork.languages.python.requirements import read_requirements
from formwork.package.template import Architecture
from formwork.toolchain.pip import Pip
from support.wheels import make_sdist, make_wheel

TARGET = Target("3.12", Architecture.X86_64)


@pytest.fixture
def index(tmp_path):
    (tmp_path / "index").mkdir()
    return tmp_path / "index"


@pytest.fixture
def resolve(tmp_path, index):
    def install(requirements, target=TARGET, *, python=sys.executable, **more):
        (tmp_path / "requirements.txt").write_text("\n".join(requirements))
        lines = read_requirements(tmp_path / "requirements.txt", target.markers)
        said = []
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PIP_")}
        environment |= {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(index)} | more
        work = tmp_path / "work"
        work.mkdir(exist_ok=True)
        pip = Pip((str(python), "-m", "pip"), environment, tmp_path)
        site, distributions = install_for(target, lines, work, pip, library=None, say=said.append)
        members, left_out = choose_members(site, distributions, lines, target)
        return {each.name for each in members}, {each.what: each.reason for each in left_out}, said

    return install


def packages(names):
    return {name.split("/")[0] for name in names if not name.split("/")[0].endswith(".dist-info")}


def test_what_lambda_has_is_left_out_with_what_only_it_needs(resolve, index):
    make_wheel(index, "boto3", requires=["botocore"])
    make_wheel(index, "botocore", requires=["six", "shared"])
    make_wheel(index, "six")
    make_wheel(index, "shared")
    make_wheel(index, "mine", requires=["boto3", "shared", "setuptools"])
    make_wheel(index, "setuptools", files={"pkg_resources/__init__.py": ""})
    names, left_out, _ = resolve(["mine", "boto3"])  # named, but no matter which version
    assert packages(names) == {"mine", "shared"}
    assert left_out.keys() >= {"boto3 1.0", "botocore 1.0", "six 1.0", "setuptools 1.0"}
    assert (left_out["boto3 1.0"], left_out["setuptools 1.0"]) == ("included in Lambda", "not imported")


def test_what_the_author_pins_goes_in_with_its_needs(resolve, index):
    make_wheel(index, "boto3", "2.0", requires=["botocore"])
    make_wheel(index, "botocore", requires=["six"])
    make_wheel(index, "six")
    assert packages(resolve(["boto3>=2", "botocore>=1"])[0]) == {"boto3", "botocore", "six"}


def sdk(index):
    make_wheel(index, "boto3", "1.30", requires=["botocore<1.31,>=1.30", "s3transfer"])
    make_wheel(index, "botocore", "1.30", requires=["six"])
    make_wheel(index, "s3transfer", requires=["botocore"])
    make_wheel(index, "six")


def test_a_pin_brings_the_whole_sdk_of_its_version(resolve, index):
    sdk(index)
    assert packages(resolve(["boto3==1.30"])[0]) == {"boto3", "botocore", "s3transfer", "six"}


def test_the_sdk_goes_in_where_a_packaged_distribution_pins_it(resolve, index):
    sdk(index)
    make_wheel(index, "exact", requires=["boto3==1.30"])
    assert packages(resolve(["exact"])[0]) == {"exact", "boto3", "botocore", "s3transfer", "six"}


def test_the_sdk_stays_out_where_a_packaged_distribution_takes_later_versions(resolve, index):
    sdk(index)
    make_wheel(index, "open", requires=["boto3>=1.2,<2"])
    assert packages(resolve(["open"])[0]) == {"open"}


def test_nothing_is_left_out_for_a_python_whose_runtime_is_unknown(resolve, index):
    sdk(index)
    assert packages(resolve(["boto3"], Target("3.99", Architecture.X86_64))[0]) >= {"boto3", "botocore", "s3transfer"}


def test_an_indirect_requirement_without_a_wheel_is_built_whichever_version_demands_it(resolve, index):
    make_wheel(index, "parent", "1.0", requires=["only-source>=1"])
    make_wheel(index, "parent", "2.0", requires=["only-source>=1"])
    make_sdist(index, "only-source")
    names, _, said = resolve(["parent"])
    assert packages(names) == {"parent", "only_source"}
    assert any(line.startswith("only-source>=1: no wheel for Python 3.12") for line in said)


def test_versions_are_those_that_markers_demand_on_the_target(resolve, index):
    make_wheel(index, "net", "1.0")
    make_wheel(index, "net", "2.0")
    make_wheel(index, "user", requires=['net<2; python_version < "3.10"', 'net>=1; python_version >= "3.10"'])
    names = resolve(["user"], Target("3.9", Architecture.X86_64))[0]
    assert "net-1.0.dist-info/METADATA" in names


def test_setuptools_goes_in_where_something_imports_it(resolve, index):
    make_wheel(index, "old", requires=["setuptools"], files={"old/plugins.py": "import pkg_resources\n"})
    make_wheel(index, "setuptools", files={"pkg_resources/__init__.py": ""})
    assert packages(resolve(["old"])[0]) == {"old", "setuptools", "pkg_resources"}


def test_what_nothing_reads_is_left_out(resolve, index):
    make_wheel(
        index,
        "a",
        files={
            "a/tests/test_a.py": "",
            "a/x.pyi": "",
            "a/data.json": "{}",
            "a-1.0.dist-info/entry_points.txt": "[x]\ny = a\n",
        },
    )
    make_wheel(index, "b", files={"b/tests/helper.py": "", "b/use.py": "from b.tests import helper\n"})
    names, left_out, _ = resolve(["a", "b"])
    assert names == {
        "a/__init__.py",
        "a/data.json",
        "a-1.0.dist-info/METADATA",
        "a-1.0.dist-info/entry_points.txt",
        "a-1.0.dist-info/licenses/LICENSE",
        "b/__init__.py",
        "b/tests/helper.py",
        "b/use.py",
        "b-1.0.dist-info/METADATA",
        "b-1.0.dist-info/licenses/LICENSE",
    }
    assert {"tests", "type stubs", "installation records"} <= left_out.keys()


def test_wheels_are_those_of_the_target(resolve, index):
    make_wheel(index, "fast", "1.0", tag="cp312-cp312-manylinux_2_28_x86_64", files={"fast/_c.so": "x86"})
    make_wheel(index, "fast", "1.1", tag="cp312-cp312-macosx_11_0_arm64", files={"fast/_c.so": "mac"})
    make_wheel(index, "fast", "1.2", tag="cp311-cp311-manylinux_2_28_x86_64", files={"fast/_c.so": "old"})
    names, _, _ = resolve(["fast"])
    assert "fast-1.0.dist-info/METADATA" in names


def test_no_wheel_for_the_target(resolve, index):
    make_wheel(index, "fast", "1.0", tag="cp312-cp312-manylinux_2_28_x86_64")
    with pytest.raises(BadInputError) as caught:
        resolve(["fast"], Target("3.12", Architecture.ARM64))
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "package.requirements"
    assert any("fast" in note for note in diagnostic.notes)


def test_pure_sources_are_built(resolve, index):
    make_sdist(index, "from-source")
    make_wheel(index, "mine", requires=["from-source>=1"])
    names, _, said = resolve(["mine"])
    assert packages(names) == {"mine", "from_source"}
    assert len(said) == 1
    assert "from-source" in said[0]


@pytest.mark.parametrize(
    ("tag", "extra"), [("cp312-cp312-linux_x86_64", ()), ("py3-none-any", ("from_source/_c.so",))], ids=["tag", "file"]
)
def test_sources_for_this_machine_only_are_refused(resolve, index, tag, extra):
    if tag != "py3-none-any":
        tag = f"cp3{sys.version_info.minor}-cp3{sys.version_info.minor}-linux_{os.uname().machine}"
    make_sdist(index, "from-source", tag=tag, extra=extra)
    with pytest.raises(BadInputError) as caught:
        resolve(["from-source"])
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "package.no-wheel"
    assert '"from-source" has no wheel for Python 3.12 on Lambda (x86_64)' in diagnostic.message


def test_requirements_that_dont_exist(resolve):
    with pytest.raises(BadInputError) as caught:
        resolve(["no-such-thing>=7"])
    assert any("no-such-thing" in note for note in caught.value.diagnostics[0].notes)


def test_requirements_that_contradict_each_other(resolve, index):
    make_wheel(index, "a", requires=["c==1"])
    make_wheel(index, "b", requires=["c==2"])
    make_wheel(index, "c", "1")
    make_wheel(index, "c", "2")
    with pytest.raises(BadInputError) as caught:
        resolve(["a", "b"])
    assert caught.value.diagnostics[0].code == "package.requirements"


def test_markers_of_dependencies_are_judged_for_the_target(resolve, index):
    make_wheel(index, "mine", requires=['old; python_version < "3.10"', 'new; python_version >= "3.10"'])
    make_wheel(index, "old", requires=["older"])
    make_wheel(index, "older")
    make_wheel(index, "new")
    assert packages(resolve(["mine"], Target("3.9", Architecture.X86_64))[0]) == {"mine", "old", "older"}


def test_extras_are_followed(resolve, index, tmp_path):
    make_wheel(index, "mine", requires=['more; extra == "all"'])
    make_wheel(index, "more")
    assert packages(resolve(["mine[all]"])[0]) == {"mine", "more"}
    distributions = read_distributions(tmp_path / "work" / "site0")
    assert follow_needs([("mine", frozenset())], distributions, TARGET).names == {"mine"}


def test_paths_in_requirements(resolve, tmp_path):
    wheel = make_wheel(tmp_path, "local")
    assert packages(resolve([f"./{wheel.name}"])[0]) == {"local"}


def test_a_folder_in_requirements_is_built(resolve, tmp_path):
    import tarfile

    with tarfile.open(make_sdist(tmp_path, "local")) as archive:
        archive.extractall(tmp_path, filter="data")
    assert packages(resolve(["./local-1.0"])[0]) == {"local"}


def test_no_network(resolve):
    nowhere = "http://user:canary@127.0.0.1:9/simple"
    with pytest.raises(EnvironmentProblemError, match="package index") as caught:
        resolve(["helper"], PIP_NO_INDEX="0", PIP_INDEX_URL=nowhere, PIP_RETRIES="1", PIP_TIMEOUT="2")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.notes
    assert "canary" not in str(diagnostic)


def test_no_pip(resolve, tmp_path):
    venv.create(tmp_path / "bare", with_pip=False)
    with pytest.raises(EnvironmentProblemError, match="pip is not installed"):
        resolve(["helper"], python=tmp_path / "bare" / "bin" / "python")


def test_no_python(resolve, tmp_path):
    with pytest.raises(EnvironmentProblemError, match="cannot run pip"):
        resolve(["helper"], python=tmp_path / "nowhere" / "python")
