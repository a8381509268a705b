import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { call, withFiles } from "./call";

export function pagesOf(
  given: unknown,
  from: "state" | "preview" = "state",
): Promise<{ readonly html: string; readonly markdown: string }> {
  return withFiles({}, async (pathOf, written) => {
    const { code, err } = await call(["runbook", `--${from}`, "-", "--out", pathOf(".")], {}, JSON.stringify(given));
    assert.equal(code, 0, err);
    return { html: written("runbook.html"), markdown: written("runbook.md") };
  });
}

/** The command blocks on a Markdown page: those before the first card, and those in each card. */
export function blocksOf(markdown: string): {
  readonly before: readonly string[];
  readonly steps: readonly (readonly string[])[];
} {
  const [before = [], ...steps] = markdown
    .split(/^### /m)
    .map((part) => [...part.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(({ 1: lines = "" }) => lines));
  return { before, steps };
}

/** Runs commands in bash, with the answers to their prompts on standard input. */
export async function inBash(
  script: string,
  answers: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly status: unknown; readonly out: string; readonly err: string }> {
  const child = spawn("bash", ["-c", script], { stdio: "pipe", env: { ...process.env, ...environment } });
  child.stdin.on("error", () => undefined).end(answers.map((answer) => `${answer}\n`).join(""));
  const [out, err, ended] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close") as Promise<unknown[]>,
  ]);
  return { status: ended[0], out, err };
}
