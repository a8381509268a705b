import assert from "node:assert/strict";
import { parse } from "yaml";
import { blocksOf } from "./support/pages";

const page = "docs/other-languages.md";
const languages = ["yaml", "python", "go"];

/** The texts of a program in any language: the quoted words, and in YAML the words that represent strings. */
const same = ["web", "etc", "42", "1007", "2026-11-drill", "2h", "/etc/nginx", "seconds", "files", "newest", "logged"];

describe("the page about other languages", () => {
  const programs = languages.map((language) => ({
    language,
    code: blocksOf(page).find((block) => block.language === language)?.code ?? "",
  }));

  for (const { language, code } of programs) {
    it(`has the same program in ${language}`, () => {
      for (const word of same) assert.ok(code.includes(word), word);
      assert.match(code, /VmRestore/);
      assert.match(code, /FileRestore/);
      assert.match(code, /get_?transactions/i);
      assert.match(code, /get_?vm_?logs/i);
    });
  }

  it("reads the list in YAML after the restores, because an argument waits for them", () => {
    const code = programs.find(({ language }) => language === "yaml")?.code ?? "";
    const { variables } = parse(code) as {
      readonly variables: Readonly<Record<string, { readonly "fn::invoke": { readonly arguments: object } }>>;
    };
    for (const [name, { "fn::invoke": call }] of Object.entries(variables))
      assert.match(JSON.stringify(call.arguments), /\$\{(?:etc\.status|web\.virtualMachineId)\}/, name);
  });
});
