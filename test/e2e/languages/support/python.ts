import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "../../support/ended";
import { programs, resultOf, type Language } from "./language";

/** Installs the package with pip, as users do, and runs programs through the Automation API in Pulumi's Python SDK. */
export const python: Language = {
  name: "python",
  prepare: async (folder, packages) => {
    const found = await pythonWith(folder, packages);
    if ("why" in found) return found;
    const { interpreter, env } = found;
    return {
      runs: async (project, operation, program) => {
        const file = join(project.folder, "program.py");
        writeFileSync(file, program);
        const args = [join(programs, "run.py"), operation, "test", file];
        return resultOf(await expect(interpreter, args, { cwd: project.folder, env: { ...project.env, ...env } }));
      },
    };
  },
};

interface PythonWithPackage {
  readonly interpreter: string;
  readonly env: NodeJS.ProcessEnv;
}

/** A Python installation that finds the package on its path. */
export async function pythonWith(
  folder: string,
  packages: string,
): Promise<PythonWithPackage | { readonly why: string }> {
  const { find } = await import("../../../../tools/cli/find.mjs");
  const found = await find("python");
  if ("why" in found) return found;
  const site = join(folder, "site");
  mkdirSync(site);
  const args = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--target", site];
  await expect(found.path, [...args, join(packages, "python")], { cwd: folder });
  return { interpreter: found.path, env: { PYTHONPATH: site, PYTHONDONTWRITEBYTECODE: "1" } };
}
