// Runs `cfn`, ends it as Ctrl-C does, and hands over what it writes.
import { spawn } from "node:child_process";

export interface Ended {
  code: number | null;
  /** The last of what it wrote. */
  said: string;
}

export interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): { dispose(): void };
}

const MOST_SAID = 20_000;
const PATIENCE = 30_000; // milliseconds: what the tests made is deleted after Ctrl-C

/** Run a program in a folder until it ends. A cancelled run is interrupted, so that it deletes what it made.
 * @throws Error: it cannot be started. */
export function runProgram(
  program: string,
  words: readonly string[],
  folder: string,
  write: (text: string) => void,
  cancellation?: Cancellation,
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: folder,
      env: { ...process.env, NO_COLOR: "1" },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
    let said = "";
    const hear = (text: string): void => {
      said = (said + text).slice(-MOST_SAID);
      write(text);
    };
    child.stdout.setEncoding("utf8").on("data", hear);
    child.stderr.setEncoding("utf8").on("data", hear);
    let last: NodeJS.Timeout | undefined;
    const interrupt = (): void => {
      child.kill("SIGINT");
      last = setTimeout(() => child.kill("SIGKILL"), PATIENCE);
    };
    const listening = cancellation?.onCancellationRequested(interrupt);
    const finish = (): void => {
      clearTimeout(last);
      listening?.dispose();
    };
    child.on("error", (error) => {
      finish();
      reject(error);
    });
    child.on("close", (code) => {
      finish();
      resolve({ code, said });
    });
    if (cancellation?.isCancellationRequested === true) interrupt();
  });
}
