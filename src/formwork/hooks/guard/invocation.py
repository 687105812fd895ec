"""An invocation of a Guard hook: rules and parameters are read, evaluated, and reported to `logBucket`.

Source: the service's hooks guide, "Guard Hooks"; the texts as in recorded events of clients.
"""

import contextlib
import hashlib
import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from formwork.aws.scope import Scope
from formwork.aws.stored_values import UnresolvedReferenceError
from formwork.diagnostics import BadInputError
from formwork.diagnostics.secrets import marked_secrets
from formwork.hooks.active import HookCall, HookFailed, HookOutcome, HookPassed
from formwork.hooks.guard.inputs import guard_input
from formwork.hooks.guard.objects import merge
from formwork.hooks.guard.rules import GuardRulesError, GuardVerdict, evaluate_rules
from formwork.hooks.guard.sources import RuleSource
from formwork.invoke.masking import Masker
from formwork.object_store.errors import S3Error
from formwork.object_store.store import ReceivedBody

_FIX = re.compile(r"^\s*(?:Fix|Remediation)\s*:\s*(?P<fix>.+)", re.IGNORECASE | re.MULTILINE | re.DOTALL)
_VIOLATION = re.compile(r"^\s*Violation\s*:\s*", re.IGNORECASE)
_FOLDER = "cfn-guard-validate-report"


class GuardEvaluator(Struct, frozen=True):
    """Evaluates the rules of an activated Guard hook.

    `configuration` returns the properties of its configuration with dynamic references resolved, and secrets marked.
    Reports are written to the objects of `source`.
    """

    source: RuleSource
    scope: Scope
    type_name: str
    version: str
    configuration: Callable[[], Mapping[str, Any]]

    def __call__(self, call: HookCall) -> HookOutcome:
        """Evaluate the rules; an error that prevents the evaluation is a failure of the hook."""
        masker = call.masker()
        try:
            resolved = self.configuration()
            masker.learn({}, marked_secrets(resolved))
            properties = json.loads(json.dumps(resolved))  # with plain texts: those of secrets show a mask
            verdict = _masked(self._evaluate(call, properties), masker)
            written = masker.text(self._report(call, verdict, properties.get("logBucket")))
        except (GuardRulesError, BadInputError, UnresolvedReferenceError) as error:
            return HookFailed(masker.text(str(error)), refused=False)
        annotations = [_annotation(*rule, verdict) for rule in verdict.rules]
        if not verdict.failed:
            return HookPassed(f"Successful validation{written}", annotations)
        failed = ", ".join(verdict.failed)
        text = f"Template failed validation, the following rule(s) failed: {failed}.{written}"
        return HookFailed(text, refused=True, annotations=annotations)

    def _evaluate(self, call: HookCall, properties: Mapping[str, Any]) -> GuardVerdict:
        files = self.source.read_rules(properties.get("ruleLocation"))
        document = guard_input(call, self.scope, self.type_name, self.version)
        parameters = properties.get("options", {}).get("inputParams")
        if parameters:
            merge(document, self.source.read_parameters(parameters), "of the hook")
        return evaluate_rules(files, document)

    def _report(self, call: HookCall, verdict: GuardVerdict, bucket: str | None) -> str:
        """Write the report, if a bucket is configured; the same invocation writes the same object."""
        if not bucket:
            return ""
        key = f"{_FOLDER}/{self.scope.account}/{self.type_name.replace('::', '-')}/{call.token}.json"
        report = {
            "name": call.target.identifier,
            "metadata": {"hookTypeName": self.type_name, "hookTypeVersion": self.version, "invocation": call.token},
            "status": "FAIL" if verdict.failed else "PASS",
            "not_compliant": [
                {
                    "Rule": {
                        "name": name,
                        "checks": [
                            {"message": each.message, "resource": each.resource, "path": each.path}
                            for each in verdict.findings
                            if each.rule == name
                        ],
                    }
                }
                for name in verdict.failed
            ],
            "not_applicable": [name for name, status in verdict.rules if status == "SKIPPED"],
            "compliant": [name for name, status in verdict.rules if status == "PASSED"],
        }
        content = json.dumps(report, indent=1, ensure_ascii=False).encode()
        try:
            found = self.source.objects.expect_bucket(bucket, account=self.scope.account)
            self._put(found, key, content)
        except S3Error as error:
            raise GuardRulesError(f"logBucket: {bucket} can't be written: {error.code}: {error.message}") from error
        return f" Full output was written to s3://{bucket}/{key}"

    def _put(self, bucket: Any, key: str, content: bytes) -> None:
        path = self.source.objects.new_file()
        try:
            path.write_bytes(content)
            digest = hashlib.md5(content, usedforsecurity=False).hexdigest()
            headers = {"content-type": "application/json"}
            self.source.objects.put(bucket, key, ReceivedBody(path, len(content), digest, {}), headers)
        finally:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)


def _masked(verdict: GuardVerdict, masker: Masker) -> GuardVerdict:
    """Return the verdict with secrets masked: a rule without a name has that of its file, which may be one."""
    findings = [
        replace(each, rule=masker.text(each.rule), message=masker.text(each.message)) for each in verdict.findings
    ]
    return GuardVerdict([(masker.text(name), status) for name, status in verdict.rules], findings)


def _annotation(rule: str, status: str, verdict: GuardVerdict) -> dict[str, Any]:
    if status != "FAILED":
        return {"annotationName": rule, "status": status}
    messages = list(dict.fromkeys(each.message for each in verdict.findings if each.rule == rule))
    text = "\n".join(messages).strip()
    said, fix = split_message(text)
    annotation = {"annotationName": rule, "status": "FAILED", "statusMessage": said}
    if fix is not None:
        annotation["remediationMessage"] = fix
    return annotation


def split_message(text: str) -> tuple[str, str | None]:
    """Split a check's message into its violation text, without the label, and its fix; None if it has no fix."""
    fix = _FIX.search(text)
    said = _VIOLATION.sub("", text[: fix.start()] if fix else text).strip()
    return said or text, None if fix is None else fix["fix"].strip()
