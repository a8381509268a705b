/** The files of one program, in each language that Node.js projects use. */

export type Files = Readonly<Record<string, string>>;

function project(runtime: string): Files {
  return { "Pulumi.yaml": `name: fresh\nruntime: ${runtime}\n` };
}

const restores = `
const web = new recovery.VmRestore("web", { virtualMachineId: 42, recoveryPointId: 1007 });
const etc = new recovery.FileRestore(
  "etc",
  { virtualMachineId: 42, recoveryPointId: 1008, paths: ["/etc/hosts"] },
  { dependsOn: web },
);
const { transactions } = recovery.getTransactionsOutput({ limit: 1 }, { dependsOn: etc });
`;
const outputs = "{ statuses: [web.status, etc.status], newest: transactions.apply(([row]) => row?.id) }";

export const typescript: Files = {
  ...project("nodejs"),
  "index.ts": `import * as recovery from "pulumi-recovery";
${restores}
export const statuses = [web.status, etc.status];
export const newest = transactions.apply(([row]) => row?.id);
const minutes: number | undefined = undefined;
export const typed = web.durationSeconds.apply((seconds): number => seconds ?? minutes ?? 0);
`,
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      target: "ES2022",
      module: "Node16",
      moduleResolution: "Node16",
      rootDir: ".",
      skipLibCheck: true,
    },
    files: ["index.ts"],
  }),
};

export const javascript: Files = {
  ...project("nodejs"),
  "index.js": `"use strict";
const recovery = require("pulumi-recovery");
${restores}
module.exports = ${outputs};
`,
};

export const modules: Files = {
  ...project("\n  name: nodejs\n  options:\n    typescript: false"),
  "index.js": `import * as recovery from "pulumi-recovery";
import { VmRestore } from "pulumi-recovery";
${restores}
if (VmRestore !== recovery.VmRestore) throw new Error("two classes of one name");
export const statuses = [web.status, etc.status];
export const newest = transactions.apply(([row]) => row?.id);
`,
};

/** The project's package.json. `installs` lists what to install, by name, in the package manager's own notation. */
export function manifest(installs: Files, more: object = {}): Files {
  return { "package.json": JSON.stringify({ name: "fresh", private: true, dependencies: installs, ...more }) };
}

/** What a TypeScript project needs besides the SDK. */
export const compilers = { typescript: "^5.9.0", "@types/node": "^20.19.0" };
