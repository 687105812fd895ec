"""What our library says of each schema in a JSON file {name: [kind, text]}: {"seconds": CPU, "verdicts": {name: …}}.

`errors` as the second argument: parsing, meta-schema and errors; `rules`: warnings and patterns too.
"""

import json
import sys
import time
from pathlib import Path

from formwork.diagnostics import Severity
from formwork.documents import parse_document
from formwork.extensions import ExtensionKind
from formwork.schema import validate_schema
from formwork.schema.load import find_errors

schemas = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
verdicts = {}
start = time.process_time()
for name, (kind, text) in schemas.items():
    document = parse_document(text, name=name)
    found = (find_errors if sys.argv[2] == "errors" else lambda each, of: validate_schema(each, kind=of))(
        document, ExtensionKind.from_noun(kind)
    )
    severities = {each.severity for each in found}
    verdicts[name] = "error" if Severity.ERROR in severities else "warning" if severities else ""
print(json.dumps({"seconds": time.process_time() - start, "verdicts": verdicts}))
