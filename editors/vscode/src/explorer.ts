// The test explorer: projects, their clauses by group, runs of `cfn test` for some of them, findings at their places.
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import { byGroup, focusOptions, type ClauseInfo } from "./choosing";
import { describeFinding, handlerOf, outcomes, parseReport, type Finding, type Outcome } from "./report";
import { runProgram, type Ended } from "./running";
import { findCfn, showMissing, type HandlerInfo, type LanguageServer, type ProjectInfo } from "./server";

const PROJECTS = "**/.rpdk-config";
const NOT_OURS = "**/{node_modules,.venv,venv,build,dist,target}/**";
const MOST_PROJECTS = 200;

interface Project {
  folder: vscode.Uri;
  info: ProjectInfo;
  /** The items of its clauses, by id. */
  items: Map<string, vscode.TestItem>;
}

export class ClauseExplorer implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("formwork", "Formwork: handler contract");
  private readonly projects = new Map<string, Project>();
  private readonly ran = new vscode.EventEmitter<void>();
  private refreshing: Promise<void> | undefined;
  /** Fires after a run. */
  readonly onRan = this.ran.event;

  constructor(
    private readonly server: () => LanguageServer,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.controller.refreshHandler = () => this.refresh();
    this.controller.createRunProfile("Run", vscode.TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
  }

  /** Read the projects of the workspace again. */
  refresh(): Promise<void> {
    this.refreshing ??= this.refreshNow().finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  /** Run the tests that call a handler of the project in a folder, as the lens over it asks. */
  async runHandler(folder: string, handler: string): Promise<void> {
    const key = vscode.Uri.parse(folder).toString();
    if (!this.projects.has(key)) await this.refresh();
    const project = this.projects.get(key);
    const row = project?.info.handlers.find((each) => each.name === handler);
    if (project === undefined || row === undefined) {
      void vscode.window.showErrorMessage(`Formwork: ${handler} is not a handler of a project in this workspace`);
      return;
    }
    const own = [...project.items.values()].filter((each) => each.parent?.label === handler);
    const request = new vscode.TestRunRequest(own.length > 0 ? own : [...project.items.values()]);
    await this.runProjects(request, [{ project, options: ["--focus", row.focus] }], new vscode.CancellationTokenSource().token);
  }

  dispose(): void {
    this.controller.dispose();
    this.ran.dispose();
  }

  private async refreshNow(): Promise<void> {
    const found = await vscode.workspace.findFiles(PROJECTS, NOT_OURS, MOST_PROJECTS);
    const seen = new Set<string>();
    for (const file of found.sort((a, b) => a.path.localeCompare(b.path))) {
      const folder = vscode.Uri.joinPath(file, "..");
      try {
        const info = await this.server().clauses(folder);
        if (info === undefined) continue;
        seen.add(folder.toString());
        this.show(folder, info);
      } catch (error) {
        this.log.warn(`no clauses of ${folder.fsPath}: ${String(error)}`);
      }
    }
    for (const key of [...this.projects.keys()].filter((each) => !seen.has(each))) {
      this.projects.delete(key);
      this.controller.items.delete(key);
    }
  }

  private show(folder: vscode.Uri, info: ProjectInfo): void {
    const key = folder.toString();
    const schema = vscode.Uri.parse(info.schema);
    const top = this.controller.createTestItem(key, info.typeName, schema);
    const project: Project = { folder, info, items: new Map() };
    for (const [group, clauses] of byGroup(info.clauses)) {
      const range = rangeOf(info.handlers.find((each) => each.name === group));
      const parent = this.controller.createTestItem(`${key}#${group}`, group, schema);
      parent.sortText = orderOf(top.children.size);
      if (range !== undefined) parent.range = range;
      for (const clause of clauses) parent.children.add(this.clauseItem(project, clause, schema, range));
      top.children.add(parent);
    }
    this.projects.set(key, project);
    this.controller.items.add(top);
  }

  private clauseItem(project: Project, clause: ClauseInfo, schema: vscode.Uri, range?: vscode.Range): vscode.TestItem {
    const item = this.controller.createTestItem(`${project.folder.toString()}#${clause.id}`, clause.id, schema);
    const last = clause.state === null ? "" : `last run: ${clause.state} · `;
    item.description = clause.unprovable === null ? `${last}${clause.level}: ${clause.text}` : `not provable: ${clause.unprovable}`;
    item.sortText = orderOf(project.items.size);
    if (range !== undefined) item.range = range;
    project.items.set(clause.id, item);
    return item;
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const chosen = this.leaves(request);
    const runs = [...this.projects.values()].flatMap((project) => {
      const own = project.info.clauses.filter((each) => chosen.has(itemOf(project, each.id)));
      return own.length === 0 ? [] : [{ project, options: focusOptions(own, project.info.clauses) }];
    });
    await this.runProjects(request, runs, token);
  }

  private async runProjects(
    request: vscode.TestRunRequest,
    runs: { project: Project; options: string[] }[],
    token: vscode.CancellationToken,
  ): Promise<void> {
    if (!vscode.workspace.isTrusted) {
      void vscode.window.showErrorMessage("Formwork: tests run the workspace's code. Trust the workspace first.");
      return;
    }
    const chosen = this.leaves(request);
    const run = this.controller.createTestRun(request);
    run.token.onCancellationRequested(() => this.log.info("the run was cancelled"));
    try {
      for (const { project, options } of runs) {
        const own = [...project.items.values()].filter((each) => chosen.has(each));
        for (const item of own) run.started(item);
        await this.runProject(run, project, own, options, anyOf(token, run.token));
        if (token.isCancellationRequested) break;
      }
    } finally {
      run.end();
      this.ran.fire();
    }
  }

  /** The items of clauses that a request is about. */
  private leaves(request: vscode.TestRunRequest): Set<vscode.TestItem> {
    const excluded = new Set(request.exclude ?? []);
    const found = new Set<vscode.TestItem>();
    const visit = (item: vscode.TestItem): void => {
      if (excluded.has(item)) return;
      if (item.children.size === 0) found.add(item);
      for (const [, child] of item.children) visit(child);
    };
    if (request.include !== undefined) request.include.forEach(visit);
    else for (const [, item] of this.controller.items) visit(item);
    return found;
  }

  private async runProject(
    run: vscode.TestRun,
    project: Project,
    own: vscode.TestItem[],
    options: string[],
    token: vscode.CancellationToken,
  ): Promise<void> {
    const located = findCfn(vscode.workspace.getWorkspaceFolder(project.folder));
    if ("problem" in located) {
      void showMissing(located.problem);
      for (const item of own) run.errored(item, new vscode.TestMessage(located.problem));
      return;
    }
    const more = vscode.workspace.getConfiguration("formwork", project.folder).get<string[]>("test.arguments", []);
    const folder = await mkdtemp(path.join(tmpdir(), "formwork-"));
    try {
      const file = path.join(folder, "report.json");
      const words = ["test", ...options, ...more, "--report", "json", "--report-file", file];
      run.appendOutput(`> cfn ${words.slice(0, -4).join(" ")}\r\n`);
      const write = (text: string): void => {
        const lines = text.replace(`report: ${file}\n`, ""); // which is removed when it has been read
        run.appendOutput(lines.replace(/\r?\n/g, "\r\n"));
      };
      const ended = await runProgram(located.program, words, project.folder.fsPath, write, token);
      await this.tell(run, project, own, file, ended, token);
    } catch (error) {
      for (const item of own) run.errored(item, new vscode.TestMessage(String(error)));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Tell the run what the report in a file says, or that there is none. */
  private async tell(
    run: vscode.TestRun,
    project: Project,
    own: vscode.TestItem[],
    file: string,
    ended: Ended,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text === undefined) {
      const said = token.isCancellationRequested ? "cancelled" : `cfn test ended with code ${ended.code}:\n${ended.said}`;
      for (const item of own) token.isCancellationRequested ? run.skipped(item) : run.errored(item, new vscode.TestMessage(said));
      return;
    }
    for (const outcome of outcomes(parseReport(text)).values()) {
      const item = project.items.get(outcome.clause);
      // What a run finds beside what was asked is a finding all the same; what it could not show is not news.
      if (item === undefined || (!own.includes(item) && outcome.kind !== "failed")) continue;
      this.tellOutcome(run, project, item, outcome);
    }
  }

  private tellOutcome(run: vscode.TestRun, project: Project, item: vscode.TestItem, outcome: Outcome): void {
    switch (outcome.kind) {
      case "failed":
        run.failed(item, outcome.findings.map((each) => messageOf(project, each)), outcome.milliseconds);
        break;
      case "passed":
        for (const each of outcome.findings) {
          run.appendOutput(`warning: ${each.clause}: ${each.message}\r\n`, placeOf(project, each), item);
        }
        run.passed(item, outcome.milliseconds);
        break;
      case "skipped":
        run.appendOutput(`${outcome.clause}: ${outcome.reason}\r\n`, undefined, item);
        run.skipped(item);
        break;
    }
  }
}

function messageOf(project: Project, finding: Finding): vscode.TestMessage {
  const message = new vscode.TestMessage(new vscode.MarkdownString(describeFinding(finding)));
  message.location = placeOf(project, finding);
  const [only, more] = finding.differences;
  if (only !== undefined && more === undefined) {
    message.expectedOutput = JSON.stringify(only.expected, null, 2) ?? "nothing";
    message.actualOutput = JSON.stringify(only.actual, null, 2) ?? "nothing";
  }
  return message;
}

/** The line that raised, else the handler's code, else where the schema declares it. */
function placeOf(project: Project, finding: Finding): vscode.Location {
  if (finding.place !== undefined) {
    const file = vscode.Uri.file(path.resolve(project.folder.fsPath, finding.place.file));
    return new vscode.Location(file, new vscode.Position(Math.max(0, finding.place.line - 1), 0));
  }
  const handler = project.info.handlers.find((each) => each.name === handlerOf(finding));
  if (handler?.code) {
    const { line, character } = handler.code.range.start;
    return new vscode.Location(vscode.Uri.parse(handler.code.uri), new vscode.Position(line, character));
  }
  return new vscode.Location(vscode.Uri.parse(project.info.schema), rangeOf(handler) ?? new vscode.Position(0, 0));
}

/** A text that sorts as the contract has it. */
function orderOf(number: number): string {
  return String(number).padStart(4, "0");
}

function rangeOf(handler: HandlerInfo | undefined): vscode.Range | undefined {
  if (handler === undefined) return undefined;
  const { start, end } = handler.range;
  return new vscode.Range(start.line, start.character, end.line, end.character);
}

function itemOf(project: Project, clause: string): vscode.TestItem {
  const item = project.items.get(clause);
  if (item === undefined) throw new Error(`${clause} has no item`);
  return item;
}

/** A token that is cancelled with the first of two. */
function anyOf(...tokens: vscode.CancellationToken[]): vscode.CancellationToken {
  const source = new vscode.CancellationTokenSource();
  for (const each of tokens) {
    if (each.isCancellationRequested) source.cancel();
    each.onCancellationRequested(() => source.cancel());
  }
  return source.token;
}
