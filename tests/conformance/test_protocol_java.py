"""The handler protocol's vectors against AWS's Java runtime: what it answers otherwise is listed, and nothing else."""

import json
import os
import shutil

from formwork.extensions import ExtensionKind
from formwork.languages.java.generate.generator import plan_java_models
from formwork.languages.java.generate.naming import RESERVED_MODEL_NAMES
from formwork.model import build_type_model
from support.java import class_path, compile_java, jdk
from support.toolchains import needs_java
from support.vectors import PROTOCOL, check_listed, run

CONFIGURATION = {
    "properties": {"Limit": {"type": "integer"}, "Strict": {"type": "boolean"}},
    "additionalProperties": False,
}
HANDLER = {"permissions": []}


def schemas():
    thing = json.loads((PROTOCOL / "thing.json").read_text(encoding="utf-8"))
    handlers = dict.fromkeys(("create", "read", "update", "delete", "list"), HANDLER)
    points = {each: {**HANDLER, "targetNames": ["AWS::S3::Bucket"]} for each in ("preCreate", "preUpdate", "preDelete")}
    hook = {
        "typeName": "Acme::Store::Check",
        "description": "A hook.",
        "typeConfiguration": CONFIGURATION,
        "handlers": points,
        "additionalProperties": False,
    }
    return {"resource": {**thing, "handlers": handlers, "typeConfiguration": CONFIGURATION}, "hook": hook}


@needs_java
def test_where_the_runtime_of_aws_differs_is_listed(tmp_path, request):
    sources, classes, temporary = (tmp_path / each for each in ("sources", "classes", "temporary"))
    shutil.copytree(PROTOCOL / "java", sources)
    temporary.mkdir()
    classes.mkdir()
    for kind, schema in schemas().items():
        types = build_type_model(schema, kind=ExtensionKind.from_noun(kind), reserved=RESERVED_MODEL_NAMES)
        for path, file in plan_java_models(types, {}, {"namespace": ["vectors", kind]}).items():
            place = sources / path.partition("/rpdk/")[2]
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(file.text, encoding="utf-8")
        (classes / f"{kind}.json").write_text(json.dumps(schema), encoding="utf-8")
    compile_java(sources, classes)
    command = [
        *(jdk().executable, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", f"-Djava.io.tmpdir={temporary}"),
        *("-cp", os.pathsep.join(map(str, (classes, *class_path()))), "vectors.Vectors"),
    ]
    answers = run(command)
    check_listed(
        answers, PROTOCOL / "differences" / "aws-java.json", update=request.config.getoption("--update-golden")
    )
