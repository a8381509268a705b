import { spawn, type ChildProcess } from "node:child_process";

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  /** Standard output and standard error. */
  readonly text: string;
}

export function ended(child: ChildProcess): Promise<Ended> {
  let stdout = "";
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (more: string) => {
    stdout += more;
    text += more;
  });
  child.stderr?.setEncoding("utf8").on("data", (more: string) => {
    text += more;
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({ code, stdout, text });
    });
  });
}

interface Where {
  readonly cwd: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** The output of a command that must succeed. */
export async function expect(command: string, args: readonly string[], where: Where): Promise<string> {
  const { code, stdout, text } = await ended(spawn(command, args, { ...where, stdio: ["ignore", "pipe", "pipe"] }));
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${String(code)}:\n${text}`);
  return stdout;
}
