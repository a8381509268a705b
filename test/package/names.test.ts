import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..", "..");
const rooms = ["provider", "drills", "report", "cli", "sandbox"];
const declared =
  /^export (?:declare |default |abstract |async )*(?:function\*?|const|let|class|interface|type|enum|namespace) (\w+)/gm;
/** `export { a as b }` gives `a` a second name. (`export { a }` is not matched, because `a` is already declared in its own file.) */
const renamed = /^export (?:type )?\{[^}]*?\b\w+ as (\w+)/gm;

it("exported names are declared once in the project, so that each name has one meaning", () => {
  const names = new Map<string, string[]>();
  for (const room of rooms)
    for (const file of readdirSync(join(root, room), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts")) continue;
      const text = readFileSync(join(root, room, file), "utf8");
      const here = [...text.matchAll(declared), ...text.matchAll(renamed)].map(([, name = ""]) => name);
      for (const name of new Set(here)) names.set(name, [...(names.get(name) ?? []), `${room}/${file}`]);
    }
  assert.ok(names.size > 500);
  const twice = [...names].filter(([, files]) => files.length > 1);
  assert.deepEqual(twice, []);
});
