// The language server: `cfn lsp`, found, started, and asked what the protocol has no request for.
import * as vscode from "vscode";
import { LanguageClient, State, TransportKind, type LanguageClientOptions } from "vscode-languageclient/node";
import type { ClauseInfo } from "./choosing";
import { isProgram, locateCfn, type Located } from "./locating";
import { LANGUAGES } from "./recognizing";
import { runProgram } from "./running";

export const TEST_COMMAND = "formwork.testHandler";

export interface HandlerInfo {
  name: string;
  focus: string;
  range: { start: { line: number; character: number }; end: { line: number; character: number } };
  code: { uri: string; range: { start: { line: number; character: number } } } | null;
}

export interface ProjectInfo {
  typeName: string;
  kind: string;
  schema: string;
  handlers: HandlerInfo[];
  clauses: ClauseInfo[];
}

interface ServerStatus {
  awsTypes: boolean;
  hint: string | null;
}

const INSTALL = "How to Install";
const SETTINGS = "Open Settings";
const HELP = "https://github.com/formwork-cfn/formwork-cfn/blob/main/docs/how-to/use-vs-code.md#install-cfn";
const QUIET_KEY = "formwork.awsTypesHintShown";

/** Return the `cfn` of this workspace, or why there is none. */
export function findCfn(folder?: vscode.WorkspaceFolder): Located {
  const folders = (vscode.workspace.workspaceFolders ?? []).map((each) => each.uri.fsPath);
  const first = folder?.uri.fsPath;
  return locateCfn({
    setting: vscode.workspace.getConfiguration("formwork", folder?.uri).get("path", ""),
    folders: first === undefined ? folders : [first, ...folders.filter((each) => each !== first)],
    trusted: vscode.workspace.isTrusted,
    platform: process.platform,
    searchPath: process.env["PATH"] ?? "",
    isProgram,
  });
}

/** Show that there is no `cfn` to run, and how to get one. */
export async function showMissing(problem: string): Promise<void> {
  const message = `Formwork: ${problem}. Install it into .venv of this workspace, with the extra lsp for AWS's types.`;
  const chosen = await vscode.window.showErrorMessage(message, INSTALL, SETTINGS);
  if (chosen === INSTALL) await vscode.env.openExternal(vscode.Uri.parse(HELP));
  if (chosen === SETTINGS) await vscode.commands.executeCommand("workbench.action.openSettings", "formwork.path");
}

export class LanguageServer implements vscode.Disposable {
  private client: LanguageClient | undefined;
  private starting: Promise<void> | undefined;
  private readonly ready = new vscode.EventEmitter<void>();
  /** Fires when the server answers. */
  readonly onReady = this.ready.event;

  constructor(
    private readonly log: vscode.LogOutputChannel,
    private readonly memory: vscode.Memento,
    private readonly runTests: (folder: string, handler: string) => Promise<void>,
  ) {}

  /** Start the server, unless it has been; a problem is shown once. */
  start(): Promise<void> {
    this.starting ??= this.startNow().catch((error: unknown) => {
      this.log.error(`cfn lsp does not start: ${String(error)}`);
    });
    return this.starting;
  }

  /** End the server, and start it again with the settings as they are now. */
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Return what a project's handlers are judged by; undefined for a module, and where the server does not run. */
  async clauses(folder: vscode.Uri): Promise<ProjectInfo | undefined> {
    if (this.client?.state !== State.Running) return undefined;
    const uri = this.client.code2ProtocolConverter.asUri(folder);
    const found = await this.client.sendRequest<ProjectInfo | null>("formwork/clauses", { folder: uri });
    return found ?? undefined;
  }

  /** Ask for the lenses again: `cfn test` has run. */
  refreshLenses(): void {
    const feature = this.client?.getFeature("textDocument/codeLens");
    for (const document of vscode.workspace.textDocuments) {
      feature?.getProvider(document)?.onDidChangeCodeLensEmitter.fire();
    }
  }

  async stop(): Promise<void> {
    await this.starting;
    this.starting = undefined;
    const client = this.client;
    this.client = undefined;
    await client?.dispose();
  }

  dispose(): void {
    void this.stop();
    this.ready.dispose();
  }

  private async startNow(): Promise<void> {
    const located = findCfn();
    if ("problem" in located) {
      this.log.error(located.problem);
      void showMissing(located.problem);
      return;
    }
    const probed = await this.probe(located.program);
    if (probed !== undefined) {
      this.log.error(probed);
      void showMissing(probed);
      return;
    }
    this.log.info(`starting ${located.program} lsp`);
    this.client = new LanguageClient("formwork", "Formwork", this.command(located.program), this.options());
    await this.client.start();
    this.ready.fire();
    await this.tellStatus();
  }

  /** Return why a program is not Formwork's `cfn`; undefined if it is. */
  private async probe(program: string): Promise<string | undefined> {
    try {
      const ended = await runProgram(program, ["lsp", "--help"], this.folder(), () => undefined);
      if (ended.code === 0 && ended.said.includes("Language Server")) return undefined;
      this.log.error(`${program} lsp --help: ${ended.said.slice(0, 500)}`);
    } catch (error) {
      return `${program} cannot be run (${String(error)})`;
    }
    return `${program} has no language server: it is AWS's cfn, or an older Formwork`;
  }

  private folder(): string {
    return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? process.cwd();
  }

  private command(program: string) {
    const settings = vscode.workspace.getConfiguration("formwork");
    const words = ["lsp", ...settings.get<string[]>("schemas", []).flatMap((each) => ["--schemas", each])];
    if (settings.get("templates") === "own types only") words.push("--own-types-only");
    return { command: program, args: words, options: { cwd: this.folder() }, transport: TransportKind.stdio };
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [
        ...["file", "untitled"].flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language }))),
        { scheme: "file", pattern: "**/.rpdk-config" },
      ],
      outputChannel: this.log,
      middleware: {
        executeCommand: async (command, words, next) => {
          if (command !== TEST_COMMAND) return next(command, words);
          const [folder, handler] = words as [string, string];
          return this.runTests(folder, handler);
        },
      },
    };
  }

  /** Say once in a workspace that AWS's own types are not known, and how to have them. */
  private async tellStatus(): Promise<void> {
    const status = await this.client?.sendRequest<ServerStatus>("formwork/status", {});
    if (status === undefined || status.awsTypes || this.memory.get(QUIET_KEY, false)) return;
    await this.memory.update(QUIET_KEY, true);
    const hint = status.hint ?? "install the extra lsp";
    this.log.warn(`AWS's own types are not known in templates: ${hint}`);
    const chosen = await vscode.window.showInformationMessage(`Formwork does not know AWS's own types in templates: ${hint}.`, INSTALL);
    if (chosen === INSTALL) await vscode.env.openExternal(vscode.Uri.parse(HELP));
  }
}
