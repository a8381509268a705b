/**
 * Draws the picture of the README: runs the demo in its own terminal and draws the screen while both machines are being restored. Needs
 * tmux.
 *
 *     npx ts-node tools/demo/picture.ts
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { repositoryRoot } from "../engine/cli";
import { asSvg } from "./screen";

const columns = 126;
const server = `recovery-picture-${String(process.pid)}`;

function tmux(...args: readonly string[]): string {
  return execFileSync("tmux", ["-L", server, ...args], { encoding: "utf8" });
}

/** The current screen with its colours, from the line of the command on. */
function screen(): string[] {
  const lines = tmux("capture-pane", "-ep").trimEnd().split("\n");
  return lines.slice(
    Math.max(
      0,
      lines.findIndex((line) => line.includes("$ pulumi up")),
    ),
  );
}

async function screenWith(pattern: RegExp): Promise<string[]> {
  const limit = Date.now() + 90_000;
  while (Date.now() < limit) {
    if (pattern.test(tmux("capture-pane", "-p"))) return screen();
    await pause(100);
  }
  throw new Error(`the terminal never showed ${String(pattern)}:\n${tmux("capture-pane", "-p")}`);
}

async function main(): Promise<void> {
  const demo = `node ${join(repositoryRoot, "tools", "demo.mjs")}`;
  tmux("new-session", "-d", "-x", String(columns), "-y", "60", "-c", repositoryRoot, demo);
  try {
    const running = await screenWith(/running \d+s, transaction \d+[\s\S]*running \d+s, transaction \d+/);
    const done = await screenWith(/Duration: .*\n/);
    const end = done.slice(
      done.findIndex((line) => line.includes("Status")) + 1,
      done.findIndex((line) => line.includes("Duration")) + 1,
    );
    const svg = asSvg([...running, "", "…", "", ...end], columns, "pulumi up restoring two machines");
    writeFileSync(join(repositoryRoot, "docs", "images", "up.svg"), svg);
  } finally {
    tmux("kill-server");
  }
}

void main();
