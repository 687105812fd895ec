// Bundles the extension and its tests, and writes the licences of what is inside the bundle.
import { readFileSync, readdirSync, rmSync, writeFileSync, copyFileSync } from "node:fs";
import { build } from "esbuild";

const common = { bundle: true, platform: "node", format: "cjs", target: "node20", logLevel: "warning", metafile: true };
for (const folder of ["dist", "dist-test"]) rmSync(folder, { recursive: true, force: true });
const { metafile } = await build({
  ...common,
  entryPoints: ["src/extension.ts"],
  outfile: "dist/extension.js",
  external: ["vscode"],
  minify: true,
  legalComments: "none",
});
await build({
  ...common,
  entryPoints: readdirSync("test").filter((each) => each.endsWith(".test.ts")).map((each) => `test/${each}`),
  outdir: "dist-test",
  external: ["vscode"],
});
copyFileSync("../../LICENSE", "LICENSE");
writeFileSync("dist/THIRD-PARTY-NOTICES.txt", notices(Object.keys(metafile.inputs)));

/** The licence of each package that files of the bundle are from. */
function notices(files) {
  const folders = new Set(files.flatMap((each) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(each)?.[1] ?? []));
  return [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const file = readdirSync(folder).find((each) => /^licen[sc]e/i.test(each));
    if (file === undefined) throw new Error(`${name} has no licence file`);
    return `${name} ${version} (${license})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
  }).join(`\n${"-".repeat(80)}\n\n`);
}
