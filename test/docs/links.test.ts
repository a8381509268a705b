import assert from "node:assert/strict";
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { allPages, root, textOf } from "./support/pages";

/** The anchor that GitHub generates for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

function anchorsOf(page: string): ReadonlySet<string> {
  return new Set([...textOf(page).matchAll(/^#+ (.+)$/gm)].map(({ 1: heading = "" }) => anchorOf(heading)));
}

describe("links in the documentation", () => {
  for (const page of allPages()) {
    it(`resolve in ${page}`, () => {
      const text = textOf(page).replace(/^```[\s\S]*?^```$/gm, "");
      const broken = [...text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)]
        .map(({ 1: link = "" }) => link)
        .filter((link) => {
          const [path = "", anchor] = link.split("#");
          const target = path === "" ? page : join(dirname(page), path);
          if (!existsSync(join(root, target))) return true;
          return anchor !== undefined && (statSync(join(root, target)).isDirectory() || !anchorsOf(target).has(anchor));
        });
      assert.deepEqual(broken, []);
    });
  }

  it("lead from the README to every page, and from the list of examples to every example", () => {
    const readme = textOf("README.md");
    const examples = textOf("examples/README.md").replaceAll("](", "](examples/");
    const missing = allPages().filter(
      (page) => page !== "README.md" && !readme.includes(`](${page})`) && !examples.includes(`](${page})`),
    );
    assert.deepEqual(missing, []);
  });
});
