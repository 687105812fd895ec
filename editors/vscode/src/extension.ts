// Formwork in VS Code: what is contributed, and when the language server starts.
import * as vscode from "vscode";
import { ConsolePanel } from "./console/panel";
import { ClauseExplorer } from "./explorer";
import { isKnown } from "./recognizing";
import { findCfn, LanguageServer, showMissing } from "./server";

const SETTINGS = ["formwork.path", "formwork.schemas", "formwork.templates"];
const MOST_LOOKED_AT = 20_000; // characters of a document: what says what it is comes first

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const log = vscode.window.createOutputChannel("Formwork", { log: true });
  const explorer: ClauseExplorer = new ClauseExplorer(() => server, log);
  const server: LanguageServer = new LanguageServer(log, context.workspaceState, (folder, handler) => explorer.runHandler(folder, handler));
  const register = (name: string, run: () => unknown): vscode.Disposable => vscode.commands.registerCommand(name, run);
  const projects = vscode.workspace.createFileSystemWatcher("**/.rpdk-config");
  const look = (document: vscode.TextDocument): void => {
    if (isKnown(opened(document))) void server.start();
  };
  context.subscriptions.push(
    log,
    explorer,
    server,
    projects,
    register("formwork.openConsole", () => ConsolePanel.open(log)),
    register("formwork.startSession", () => startSession()),
    register("formwork.restartServer", () => server.restart()),
    register("formwork.showLog", () => log.show()),
    server.onReady(() => explorer.refresh()),
    explorer.onRan(() => server.refreshLenses()),
    projects.onDidCreate(() => server.start().then(() => explorer.refresh())),
    projects.onDidDelete(() => explorer.refresh()),
    vscode.workspace.onDidOpenTextDocument(look),
    vscode.workspace.onDidSaveTextDocument((document) => {
      look(document);
      if (isOfProject(document)) void explorer.refresh();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => server.restart()),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (SETTINGS.some((each) => event.affectsConfiguration(each))) void server.restart();
    }),
  );
  vscode.workspace.textDocuments.forEach(look);
  const [project] = await vscode.workspace.findFiles("**/.rpdk-config", "**/node_modules/**", 1);
  if (project !== undefined) void server.start();
}

function opened(document: vscode.TextDocument) {
  const end = document.positionAt(MOST_LOOKED_AT);
  const text = document.getText(new vscode.Range(new vscode.Position(0, 0), end));
  return { language: document.languageId, path: document.uri.path, text };
}

/** Whether a saved file may change which clauses and handlers there are. */
function isOfProject(document: vscode.TextDocument): boolean {
  return document.uri.path.endsWith("/.rpdk-config") || (isKnown(opened(document)) && document.languageId !== "smithy");
}

async function startSession(): Promise<void> {
  const located = findCfn();
  if ("problem" in located) return showMissing(located.problem);
  const folder = await chooseProject();
  if (folder === undefined) return;
  const terminal = vscode.window.createTerminal({ name: "cfn dev", cwd: folder, shellPath: located.program, shellArgs: ["dev"] });
  terminal.show();
}

async function chooseProject(): Promise<vscode.Uri | undefined> {
  const found = await vscode.workspace.findFiles("**/.rpdk-config", "**/node_modules/**");
  const folders = found.map((each) => vscode.Uri.joinPath(each, ".."));
  if (folders.length < 2) {
    if (folders[0] === undefined) void vscode.window.showErrorMessage("Formwork: no project in this workspace; `cfn init` makes one");
    return folders[0];
  }
  const rows = folders.map((folder) => ({ label: vscode.workspace.asRelativePath(folder), folder }));
  return (await vscode.window.showQuickPick(rows, { placeHolder: "the project to work on" }))?.folder;
}
