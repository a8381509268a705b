#!/usr/bin/env node
/**
 * Prints a release's notes, which are its section in the changelog. Fails if the release is not ready.
 *
 *   node tools/release/notes.mjs v1.2.0
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../setup/places.mjs";

/**
 * @typedef {object} Release
 * @property {string | undefined} tag
 * @property {{ version: string, repository: { url: string } }} manifest the package's `package.json`
 * @property {string} changelog
 * @property {string | undefined} repository `owner/name`, if it is released from GitHub
 */

export function notesOf(/** @type {Release} */ { tag, manifest, changelog, repository }) {
  const { version } = manifest;
  if (tag !== `v${version}`) throw new Error(`the tag is ${String(tag)}, but package.json says ${version}`);
  const { url } = manifest.repository;
  if (repository !== undefined && !url.endsWith(`/${repository}.git`))
    throw new Error(
      `package.json names the repository ${url}, but this is ${repository}, so npm would reject the provenance`,
    );
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.startsWith(`${version} `));
  const [title = "", ...lines] = section?.split("\n") ?? [];
  if (!/^\S+ \(\d{4}-\d{2}-\d{2}\)$/.test(title))
    throw new Error(`CHANGELOG.md has no section "## ${version} (<date>)"`);
  if (sections.some((text) => /^Unreleased\s*\n/.test(text) && text.trim().includes("\n")))
    throw new Error("CHANGELOG.md has changes under Unreleased: move them to this version or remove them");
  return `${lines.join("\n").trim()}\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const read = (/** @type {string} */ name) => readFileSync(join(root, name), "utf8");
  try {
    process.stdout.write(
      notesOf({
        tag: process.argv[2],
        manifest: JSON.parse(read("package.json")),
        changelog: read("CHANGELOG.md"),
        repository: process.env.GITHUB_REPOSITORY,
      }),
    );
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
