/**
 * Writes docs/reliability.md from the reporter's records. The full test run calls it at the end.
 *
 *     node -r ts-node/register/transpile-only docs/reliability/write.ts <file with one JSON object per test>
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { cliPath } from "../../tools/engine/cli";
import { formatted } from "../../tools/formatted";
import { supported } from "../../tools/supported";
import { reliabilityPage, type Result } from "./page";
import { promises } from "./promises";

const root = join(__dirname, "..", "..");

async function main(notes: string): Promise<void> {
  const results = readFileSync(notes, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Result)
    .map((result) => ({ ...result, file: relative(join(root, "test"), result.file).split(sep).join("/") }));
  const sdk = JSON.parse(readFileSync(require.resolve("@pulumi/pulumi/package.json"), "utf8")) as { version: string };
  const cli = execFileSync(cliPath(), ["version"], { encoding: "utf8" }).trim().replace(/^v/, "");
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const page = reliabilityPage(promises, results, {
    version,
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    engine: { cli, sdk: sdk.version },
    supportedOn: supported.looked,
    platform: `${process.platform} ${process.arch}`,
  });
  const path = join(root, "docs", "reliability.md");
  writeFileSync(path, await formatted(page, path));
}

void main(process.argv[2] ?? "");
