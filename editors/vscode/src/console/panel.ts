// The console in a webview: pages that this process fetches. The reasons are in docs/decisions/1354.
import { randomBytes } from "node:crypto";
import * as vscode from "vscode";
import { runProgram } from "../running";
import { findCfn, showMissing } from "../server";
import { ConsoleClient, type Answer } from "./client";
import { forWebview, ownPath, styleSheets } from "./pages";

const START = "Start cfn serve";
const FIRST = "/stacks";
const TRIES = 60; // a second each, for a server that starts
const REST = 500; // milliseconds between two refreshes

type Message =
  | { kind: "go"; address: string }
  | { kind: "submit"; address: string; method: string; fields: [string, string][] }
  | { kind: "back" | "reload" | "browser" | "edited" };

export class ConsolePanel {
  private static open_: ConsolePanel | undefined;
  private readonly panel: vscode.WebviewPanel;
  private readonly history: string[] = [];
  private path = FIRST;
  private edited = false;
  private refresh: NodeJS.Timeout | undefined;

  /** Show the console of the server that runs on this machine; offer to start one where there is none. */
  static async open(log: vscode.LogOutputChannel): Promise<void> {
    if (this.open_ !== undefined) return this.open_.panel.reveal();
    const link = await findLink(log);
    if (link === undefined) return;
    const client = new ConsoleClient(link);
    await client.enter();
    const panel = new ConsolePanel(client, log);
    this.open_ = panel;
    await panel.go("GET", FIRST);
  }

  private constructor(
    private readonly client: ConsoleClient,
    private readonly log: vscode.LogOutputChannel,
  ) {
    this.panel = vscode.window.createWebviewPanel("formworkConsole", "Formwork console", vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [],
    });
    this.panel.webview.onDidReceiveMessage((message: Message) => this.receive(message));
    this.panel.onDidDispose(() => {
      ConsolePanel.open_ = undefined;
      clearTimeout(this.refresh);
      client.close();
    });
    client.follow(() => this.changed());
  }

  private async receive(message: Message): Promise<void> {
    switch (message.kind) {
      case "edited":
        this.edited = true;
        return;
      case "reload":
        return this.go("GET", this.path);
      case "back":
        this.history.pop();
        return this.go("GET", this.history.pop() ?? FIRST);
      case "browser": {
        const link = await findLink(this.log);
        if (link !== undefined) await vscode.env.openExternal(vscode.Uri.parse(link, true));
        return;
      }
      case "go":
        return this.follow(message.address);
      case "submit":
        return this.submit(message.address, message.method, message.fields);
    }
  }

  private async follow(address: string): Promise<void> {
    const path = ownPath(address, this.path, this.client.base);
    if (path !== undefined) return this.go("GET", path);
    await vscode.env.openExternal(vscode.Uri.parse(address, true));
  }

  private async submit(address: string, method: string, fields: [string, string][]): Promise<void> {
    const path = ownPath(address, this.path, this.client.base);
    if (path === undefined) return;
    if (method === "POST") return this.go("POST", path, fields);
    return this.go("GET", `${path.split("?")[0]}?${new URLSearchParams(fields).toString()}`);
  }

  private async go(method: string, path: string, fields?: [string, string][]): Promise<void> {
    try {
      await this.show(await this.client.ask(method, path, fields), method);
    } catch (error) {
      this.log.warn(`the console: ${String(error)}`);
      void vscode.window.showErrorMessage(`Formwork: the console does not answer (${String(error)})`);
    }
  }

  private async show(answer: Answer, method: string): Promise<void> {
    this.edited = method !== "GET" && answer.status >= 400; // the answer to a form that is to be corrected stays
    this.path = answer.path;
    if (this.history.at(-1) !== answer.path) this.history.push(answer.path);
    const styles = await Promise.all(styleSheets(answer.text).map((each) => this.client.sheet(each)));
    const nonce = randomBytes(16).toString("base64url");
    this.panel.webview.html = forWebview(answer.text, answer.path, { nonce, styles });
  }

  /** Show the page again soon, unless a person is typing in it. */
  private changed(): void {
    this.refresh ??= setTimeout(() => {
      this.refresh = undefined;
      if (this.panel.visible && !this.edited) void this.go("GET", this.path);
    }, REST);
  }
}

/** Return a one-time link to the console; undefined where no server runs and none is started. */
async function findLink(log: vscode.LogOutputChannel): Promise<string | undefined> {
  const located = findCfn();
  if ("problem" in located) {
    await showMissing(located.problem);
    return undefined;
  }
  const asked = await ask(located.program);
  if (asked.link !== undefined) return asked.link;
  log.info(`cfn console: ${asked.said}`);
  const chosen = await vscode.window.showInformationMessage("Formwork: no server with a console runs on this machine.", START);
  if (chosen !== START) return undefined;
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri;
  vscode.window.createTerminal({ name: "cfn serve", shellPath: located.program, shellArgs: ["serve"], ...(cwd === undefined ? {} : { cwd }) }).show(true);
  for (let turn = 0; turn < TRIES; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { link } = await ask(located.program);
    if (link !== undefined) return link;
  }
  void vscode.window.showErrorMessage("Formwork: cfn serve does not answer; its terminal says why");
  return undefined;
}

async function ask(program: string): Promise<{ link: string | undefined; said: string }> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? process.cwd();
  const ended = await runProgram(program, ["console", "--print"], folder, () => undefined);
  const link = /^http:\/\/\S+\/enter\?token=\S+$/m.exec(ended.said)?.[0];
  return { link: ended.code === 0 ? link : undefined, said: ended.said.replace(/token=\S+/g, "token=…") };
}
