import assert from "node:assert/strict";
import { test } from "node:test";
import { describeFinding, handlerOf, outcomes, parseReport, type Finding, type Report } from "../src/report";

const FINDING: Finding = {
  clause: "update.applied",
  level: "MUST",
  severity: "violation",
  message: "UPDATE with [valid](http://evil.example) input ended FAILED",
  cause: "KeyError: 'zone' at src/handlers.py:71",
  place: { file: "src/handlers.py", line: 71, function: "update_handler" },
  differences: [{ pointer: "/resourceModel/Name", expected: "a" }],
  exchanges: [{ request: { action: "CREATE" } }, { request: { action: "UPDATE" } }],
  tests: ["contract_update_read[inputs_1]"],
  replay: "cfn test --seed 1 -- -k contract_update_read",
};
const REPORT: Report = {
  typeName: "Acme::Store::Thing",
  passed: false,
  interrupted: false,
  clauses: [
    { id: "update.applied", level: "MUST", text: "…", state: "violated", reason: null, tests: ["contract_update_read"] },
    { id: "update.partial", level: "SHOULD", text: "…", state: "warned", reason: null, tests: [] },
    { id: "create.echo", level: "MUST", text: "…", state: "proved", reason: null, tests: [] },
    { id: "delete.billing", level: "MUST", text: "…", state: "not provable", reason: "costs cannot be seen", tests: [] },
    { id: "list.token", level: "MUST", text: "…", state: "not tested", reason: null, tests: [] },
  ],
  findings: [FINDING],
  tests: [
    { name: "contract_update_read[inputs_1]", outcome: "failed", seconds: 0.25 },
    { name: "contract_update_read[inputs_2]", outcome: "failed", seconds: 0.5 },
  ],
};

test("the outcome of each clause", () => {
  const found = outcomes(parseReport(JSON.stringify(REPORT)));
  assert.deepEqual([...found.values()].map((each) => each.kind), ["failed", "passed", "passed", "skipped", "skipped"]);
  assert.equal(found.get("update.applied")?.milliseconds, 750);
  assert.deepEqual(found.get("update.applied")?.findings, [FINDING]);
  assert.equal(found.get("delete.billing")?.reason, "costs cannot be seen");
  assert.equal(found.get("list.token")?.reason, "not tested");
});

test("what is not a report is refused", () => {
  for (const text of ["", "[1", "null", "{}", '{"clauses": []}']) assert.throws(() => parseReport(text));
});

test("the handler that a finding is about", () => {
  const of = (action?: string): string => handlerOf({ ...FINDING, exchanges: [{ request: action === undefined ? {} : { action } }] });
  assert.equal(handlerOf(FINDING), "update");
  assert.equal(of("DELETE_PRE_PROVISION"), "preDelete");
  assert.equal(of(), "update");
  assert.equal(handlerOf({ ...FINDING, exchanges: [] }), "update");
});

test("a finding is told in Markdown in which handlers' words are texts", () => {
  const text = describeFinding(FINDING);
  assert.ok(text.includes("\\[valid\\]\\(http://evil\\.example\\)"));
  assert.ok(text.includes('expected `"a"`, got nothing'));
  assert.ok(text.includes("`cfn test --seed 1 -- -k contract_update_read`"));
});
