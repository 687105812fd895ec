// What the report of `cfn test --report json` says of each clause, in the words of a test explorer.

export type State = "proved" | "violated" | "warned" | "not provable" | "not applicable" | "not tested";

export interface Difference {
  pointer: string;
  expected?: unknown;
  actual?: unknown;
}

export interface Place {
  file: string;
  line: number;
  function?: string;
}

export interface Finding {
  clause: string;
  level: string;
  severity: "violation" | "warning";
  message: string;
  cause: string | null;
  place?: Place;
  differences: Difference[];
  exchanges: { request: { action?: string } }[];
  tests: string[];
  replay: string | null;
}

export interface ClauseRow {
  id: string;
  level: string;
  text: string;
  state: State;
  reason: string | null;
  tests: string[];
}

export interface Report {
  typeName: string;
  passed: boolean;
  interrupted: boolean;
  clauses: ClauseRow[];
  findings: Finding[];
  tests: { name: string; outcome: string; seconds: number }[];
}

export interface Outcome {
  clause: string;
  /** A warning passes: a SHOULD that is not kept fails no run. */
  kind: "passed" | "failed" | "skipped";
  /** Why it is neither proved nor violated. */
  reason: string;
  findings: Finding[];
  milliseconds: number;
}

/** Return the report in a text.
 * @throws Error: it is not one. */
export function parseReport(text: string): Report {
  const value: unknown = JSON.parse(text);
  if (typeof value !== "object" || value === null) throw new Error("the report is not an object");
  const report = value as Partial<Report>;
  if (!Array.isArray(report.clauses) || !Array.isArray(report.findings) || !Array.isArray(report.tests)) {
    throw new Error("the report has no clauses, findings or tests");
  }
  return report as Report;
}

/** Return what became of each clause of the report. */
export function outcomes(report: Report): Map<string, Outcome> {
  const seconds = new Map<string, number>();
  for (const test of report.tests) {
    const name = test.name.split("[")[0] ?? test.name;
    seconds.set(name, (seconds.get(name) ?? 0) + test.seconds);
  }
  return new Map(
    report.clauses.map((row) => {
      const milliseconds = row.tests.reduce((sum, name) => sum + 1000 * (seconds.get(name) ?? 0), 0);
      const findings = report.findings.filter((each) => each.clause === row.id);
      return [row.id, { clause: row.id, kind: kindOf(row.state), reason: row.reason ?? row.state, findings, milliseconds }];
    }),
  );
}

function kindOf(state: State): Outcome["kind"] {
  if (state === "violated") return "failed";
  return state === "proved" || state === "warned" ? "passed" : "skipped";
}

/** Return the schema's name of the handler that a finding is about: `update` of UPDATE, `preCreate` of a hook's. */
export function handlerOf(finding: Finding): string {
  const action = finding.exchanges.at(-1)?.request.action ?? "";
  const hook = /^(CREATE|UPDATE|DELETE)_PRE_PROVISION$/.exec(action)?.[1];
  if (hook !== undefined) return `pre${hook.charAt(0)}${hook.slice(1).toLowerCase()}`;
  return (action === "" ? finding.clause.split(".")[0] ?? "" : action).toLowerCase();
}

/** Return what a finding says, in Markdown. */
export function describeFinding(finding: Finding): string {
  const lines = [escapeMarkdown(finding.message)];
  if (finding.cause !== null) lines.push(`Cause: ${escapeMarkdown(finding.cause)}`);
  for (const each of finding.differences.slice(0, 20)) {
    lines.push(`- \`${each.pointer}\`: expected ${shown(each.expected)}, got ${shown(each.actual)}`);
  }
  if (finding.tests.length > 0) lines.push(`Found by ${[...new Set(finding.tests)].slice(0, 8).map((each) => `\`${each}\``).join(", ")}`);
  if (finding.replay !== null) lines.push(`Run it again: \`${finding.replay}\``);
  return lines.join("\n\n");
}

function shown(value: unknown): string {
  return value === undefined ? "nothing" : `\`${JSON.stringify(value).slice(0, 200)}\``;
}

/** Return a text that Markdown shows as it is: findings quote what handlers wrote. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-.!|<>&~$]/g, "\\$&");
}
