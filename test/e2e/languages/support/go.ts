import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "../../support/ended";
import { programs, resultOf, type Language } from "./language";

const modulePath = "example.com/pulumi-recovery/sdk/go";

/** Builds programs with the generated package, and runs them through the Automation API in Pulumi's Go SDK. */
export const go: Language = {
  name: "go",
  prepare: async (folder, packages) => {
    const module = join(folder, "go");
    const started = await moduleWith(module, packages);
    if (started !== undefined) return started;
    return {
      runs: async (project, operation, program) => {
        // The engine starts no language host here, because the runner calls the program itself.
        const asFunction = program.replace("func main() {", "func asWritten() {");
        if (asFunction === program) throw new Error("the program has no main");
        writeFileSync(join(module, "program.go"), asFunction);
        const binary = join(folder, "program");
        await expect("go", ["build", "-o", binary, "."], { cwd: module, env: goEnvironment() });
        return resultOf(await expect(binary, [operation, "test"], { cwd: project.folder, env: project.env }));
      },
    };
  },
};

function goEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: "-mod=mod -modcacherw -buildvcs=false" };
}

/** Makes a module that contains the runner and refers to the package, and downloads the module's dependencies. */
async function moduleWith(module: string, packages: string): Promise<{ readonly why: string } | undefined> {
  const { isUnreachable } = await import("../../../../tools/cli/commands.mjs");
  cpSync(join(programs, "go"), module, { recursive: true });
  const where = { cwd: module, env: goEnvironment() };
  try {
    await expect("go", ["mod", "edit", "-replace", `${modulePath}=${join(packages, "go")}`], where);
    await expect("go", ["mod", "download"], where);
  } catch (error) {
    const { message } = error as Error;
    if (message.includes("ENOENT")) return { why: "Go is not installed" };
    if (isUnreachable(message)) return { why: `the modules for Go cannot be fetched:\n${message}` };
    throw error;
  }
  return undefined;
}
