import assert from "node:assert/strict";
import { join } from "node:path";
import { updatedPage } from "../../docs/generate";
import { membersOf } from "../../docs/tables/members";
import { commands } from "../../cli/commands";
import { dialects } from "../../sandbox";
import { switches } from "../sandbox/support/switches";
import { pages, root, textOf } from "./support/pages";

describe("generated parts of the documentation", () => {
  for (const page of pages()) {
    it(`are up to date in ${page} (npx ts-node docs/generate.ts)`, () => {
      const text = textOf(page);
      assert.equal(updatedPage(text), text);
    });
  }

  it("list each command's options", () => {
    const shown = pages().flatMap((page) =>
      [...textOf(page).matchAll(/^```\w*\n(Usage: pulumi-recovery (\w+)[\s\S]*?)^```$/gm)].map(
        ([, text = "", name]) => ({
          page,
          text: text.trim(),
          usage: commands.find((one) => one.name === name)?.usage.trim(),
        }),
      ),
    );
    assert.ok(shown.length > 1);
    for (const { page, text, usage } of shown) assert.equal(text, usage, page);
  });

  it("list each sandbox switch and its values in CONTRIBUTING.md, with the value in `plain` first", () => {
    const page = textOf("CONTRIBUTING.md");
    for (const [name, first] of Object.entries(dialects.plain)) {
      const [, shown = ""] = new RegExp(`\`${name}\`: ([^;\n]*)`).exec(page) ?? [];
      const values = switches[name] ?? [String(first), "number"];
      const listed = shown.match(/[A-Za-z0-9]+/g)?.filter((word) => !["a", "another", "or"].includes(word));
      assert.deepEqual(listed, [...values]);
    }
  });

  it("describe every input in a sentence of at most twenty words, and give the default of every optional input", () => {
    const listed = pages().flatMap((page) => [...textOf(page).matchAll(/<!-- inputs: (\S+\/program\/\S+) (\w+)/g)]);
    assert.ok(listed.length > 10);
    for (const [, file = "", name = ""] of [
      ...listed,
      ["", "provider/program/provider.ts", "ProviderArgs"],
      ["", "provider/program/get-vm-logs.ts", "GetVmLogsArgs"],
      ["", "drills/program/args.ts", "RecoveryNotesArgs"],
      ["", "drills/program/args.ts", "CommandCheckArgs"],
    ]) {
      for (const member of membersOf(join(root, file), name)) {
        assert.ok(member.comment.first.length > 10, `${name}.${member.name} says nothing`);
        const words = member.comment.first.split(" ").length;
        assert.ok(words <= 20, `${name}.${member.name}: ${String(words)} words`);
        assert.ok(!member.optional || member.defaultText !== undefined, `${name}.${member.name} has no @default`);
      }
    }
  });
});
