import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const root = join(__dirname, "..", "..", "..");

/** The documentation pages, as paths from the repository's root. */
export function pages(): readonly string[] {
  const names = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
  return names.map((name) => `docs/${name}`);
}

/** Every page that a user reads, as a path from the repository's root. */
export function allPages(): readonly string[] {
  const examples = readdirSync(join(root, "examples")).map((name) => `examples/${name}/README.md`);
  return ["README.md", ...pages(), "examples/README.md", ...examples].filter((page) => existsSync(join(root, page)));
}

export function textOf(page: string): string {
  return readFileSync(join(root, page), "utf8");
}

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

export function blocksOf(page: string): readonly Block[] {
  const text = textOf(page);
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 1: language = "", 2: code = "", index }) => ({
    page,
    line: text.slice(0, index).split("\n").length,
    language,
    code,
  }));
}
