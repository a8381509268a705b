import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { repositoryRoot } from "../../tools/engine/cli";
import { major, supported } from "../../tools/supported";

const workflows = join(repositoryRoot, ".github", "workflows");
const textOf = (file: string): string => readFileSync(join(workflows, file), "utf8");

describe("the release notes", () => {
  const changelog =
    "# Changelog\n\n## Unreleased\n\n## 1.1.0 (2026-12-01)\n\n- new\n\n## 1.0.0 (2026-11-01)\n\n- first\n";
  const manifest = { version: "1.1.0", repository: { url: "git+https://github.com/a/b.git" } };
  const ready = { tag: "v1.1.0", manifest, changelog, repository: "a/b" };

  it("are the changelog's section for the version", async () => {
    const { notesOf } = await import("../../tools/release/notes.mjs");
    assert.equal(notesOf(ready), "- new\n");
    assert.equal(notesOf({ ...ready, changelog: changelog.replace("## Unreleased\n\n", "") }), "- new\n");
  });

  const notReady: readonly [what: string, changes: Partial<typeof ready>, complaint: RegExp][] = [
    ["the tag belongs to another version", { tag: "v1.2.0" }, /tag is v1\.2\.0, but package\.json says 1\.1\.0/],
    ["the package names another repository", { repository: "c/b" }, /but this is c\/b/],
    ["the version has no section", { changelog: changelog.replace("1.1.0", "1.2.0") }, /no section "## 1\.1\.0/],
    ["the section has no date", { changelog: changelog.replace("2026-12-01", "unreleased") }, /no section "## 1\.1\.0/],
    ["unreleased changes remain", { changelog: changelog.replace("Unreleased\n", "Unreleased\n\n- a\n") }, /Unrelease/],
  ];
  for (const [what, changes, complaint] of notReady) {
    it(`are rejected if ${what}`, async () => {
      const { notesOf } = await import("../../tools/release/notes.mjs");
      assert.throws(() => notesOf({ ...ready, ...changes }), complaint);
    });
  }
});

describe("the workflows", () => {
  it("run on the supported release lines of Node.js", () => {
    const { jobs } = parse(textOf("ci.yml")) as { jobs: { run: { strategy: { matrix: { node: number[] } } } } };
    assert.deepEqual(
      jobs.run.strategy.matrix.node,
      supported.tested.map(({ node }) => major(node)),
    );
  });

  it("pin each third-party action to a commit", () => {
    for (const file of readdirSync(workflows)) {
      const used = [...textOf(file).matchAll(/uses: (?!\.\/)(.*)/g)].map(([, action]) => action!);
      assert.deepEqual(
        used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/.test(action)),
        [],
        file,
      );
    }
  });
});
