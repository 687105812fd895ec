"""The Go models of many schemas as one program: compiled in one run, and asked for round trips line by line."""

import json
import subprocess

from formwork.extensions import ExtensionKind
from formwork.languages.go.generate.aws import plan_aws_models
from formwork.languages.go.generate.models import render_models
from formwork.languages.go.generate.naming import RESERVED_MODEL_NAMES
from formwork.model import build_type_model
from support import golang

_MAIN = """package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	"formwork/cfn"
%(imports)s
)

type asked struct {
	Package int
	Value   json.RawMessage
}

type answer struct {
	Value json.RawMessage `json:",omitempty"`
	Error string          `json:",omitempty"`
}

func roundTrip[M any](data []byte) answer {
	var model M
	if err := cfn.Unmarshal(data, &model); err != nil {
		return answer{Error: err.Error()}
	}
	_ = fmt.Sprint(model)
	written, err := cfn.Marshal(model)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Value: written}
}

var models = []func([]byte) answer{
%(models)s
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var each asked
		if err := json.Unmarshal(lines.Bytes(), &each); err != nil {
			panic(err)
		}
		if err := out.Encode(models[each.Package](each.Value)); err != nil {
			panic(err)
		}
	}
}
"""


class GoModels:
    """The models of `documents` (resource schemas), in `folder`."""

    def __init__(self, folder, documents):
        self.folder = folder
        (folder / "go.mod").write_text(
            "module models\n\ngo 1.24\n\nrequire formwork/cfn v0.0.0\n\n"
            f"replace formwork/cfn => {golang.RUNTIME.as_posix()}\n"
        )
        for number, document in enumerate(documents):
            self._write(f"p{number:04}", document)
        count = range(len(documents))
        (folder / "main.go").write_text(
            _MAIN
            % {
                "imports": "\n".join(f'\t"models/p{each:04}"' for each in count),
                "models": "\n".join(f"\troundTrip[p{each:04}.Model]," for each in count),
            }
        )

    def _write(self, package, document):
        types = build_type_model(document, kind=ExtensionKind.RESOURCE, reserved=RESERVED_MODEL_NAMES)
        (self.folder / package).mkdir()
        text = render_models(types, types.models, package=package, library="formwork/cfn")
        (self.folder / package / "model.go").write_text(text, encoding="utf-8")
        aws = self.folder / f"aws{package}"
        aws.mkdir()
        (aws / "model.go").write_text(plan_aws_models(types, "x")["cmd/resource/model.go"].text, encoding="utf-8")

    def check(self):
        """Everything compiles, passes vet and is as gofmt has it; AWS's shapes too."""
        assert golang.unformatted(*self.folder.rglob("*.go")) == []
        golang.go("vet", "./...", folder=self.folder)

    def round_trips(self, values):
        """For each (number of the document, value) what comes back, {"Value": …} or {"Error": …}."""
        program = self.folder / "program"
        if not program.exists():
            golang.go("build", "-o", str(program), ".", folder=self.folder)
        lines = "".join(f"{json.dumps({'Package': number, 'Value': value})}\n" for number, value in values)
        done = subprocess.run([program], input=lines, capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        return [json.loads(each) for each in done.stdout.split("\n") if each]

    def check_round_trips(self, documents, make_values):
        """Every value that `make_values` makes of a document comes back, typed and as CloudFormation sends it."""
        from support.model_values import matches

        asked = [
            (number, value) for number, document in enumerate(documents) for value in make_values(document, number)
        ]
        sent = [(number, form) for number, value in asked for form in (value.typed, value.sent)]
        back = iter(self.round_trips(sent))
        for number, value in asked:
            for form, expected in ((value.typed, value.typed), (value.sent, value.expected)):
                found = next(back)
                assert "Value" in found, (number, form, found)
                assert matches(found["Value"], expected), (number, form, found)
