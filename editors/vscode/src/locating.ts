// Which `cfn` is run: the one that a setting names, else the one of the workspace, else the one on the search path.
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";

export interface Surroundings {
  /** The setting `formwork.path`; empty: none. */
  setting: string;
  /** The folders of the workspace. */
  folders: readonly string[];
  /** Whether programs of the workspace may run. */
  trusted: boolean;
  platform: NodeJS.Platform;
  /** The variable PATH. */
  searchPath: string;
  isProgram: (file: string) => boolean;
}

export type Located = { program: string } | { problem: string };

const ENVIRONMENTS = [".venv", "venv"];

/** Return whether a file can be run. */
export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Return the `cfn` to run, or why there is none. Nothing inside a workspace that is not trusted is returned. */
export function locateCfn(given: Surroundings): Located {
  const { setting } = given;
  if (setting !== "") {
    const file = absolute(setting, given.folders);
    if (!given.trusted && isInside(file, given.folders)) {
      return { problem: `the setting formwork.path names "${setting}", which is in this workspace, and it is not trusted` };
    }
    return given.isProgram(file) ? { program: file } : { problem: `the setting formwork.path is "${setting}", which is not a program` };
  }
  const found = candidates(given).find(given.isProgram);
  if (found !== undefined) return { program: found };
  const where = given.trusted
    ? "in .venv or venv of this workspace, and on the search path"
    : "on the search path, and that of a workspace runs only once you trust it";
  return { problem: `cfn was not found ${where}` };
}

function* listCandidates(given: Surroundings): Generator<string> {
  const windows = given.platform === "win32";
  const name = windows ? "cfn.exe" : "cfn";
  if (given.trusted) {
    for (const folder of given.folders) {
      for (const each of ENVIRONMENTS) yield path.join(folder, each, windows ? "Scripts" : "bin", name);
    }
  }
  for (const folder of given.searchPath.split(windows ? ";" : ":")) {
    if (!path.isAbsolute(folder)) continue; // "." would be a folder of the workspace
    const file = path.join(folder, name);
    if (given.trusted || !isInside(file, given.folders)) yield file;
  }
}

/** Return where `cfn` may be, in the order of preference. */
export function candidates(given: Surroundings): string[] {
  return [...listCandidates(given)];
}

function absolute(setting: string, folders: readonly string[]): string {
  if (setting === "~" || setting.startsWith("~/")) return path.join(homedir(), setting.slice(1));
  return path.resolve(folders[0] ?? homedir(), setting);
}

function isInside(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const inner = path.relative(folder, file);
    return inner !== "" && !inner.startsWith("..") && !path.isAbsolute(inner);
  });
}
