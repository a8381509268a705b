import { expected, panels } from "./expected";
import { afterKill, firstUp } from "./plays";

/** Prints what each small panel gives: `npx ts-node test/small-panels/table.ts [part of a name]`. */
async function main([part = ""]: readonly string[]): Promise<void> {
  const say = (...cells: readonly string[]): void => void process.stdout.write(`| ${cells.join(" | ")} |\n`);
  say("panel", "first up", "POSTs", "requests", "warnings", "second up", "fails", "killed 1.3 s", "killed 20 s");
  say(...Array.from({ length: 9 }, () => "---"));
  for (const [name, { make, formats }] of Object.entries(panels)) {
    if (!name.includes(part)) continue;
    const settings = expected[name]?.needs ?? {};
    for (const format of formats) {
      const first = await firstUp(make, format, settings).catch(thrown);
      const { result, posts, requests, warnings, postsOfSecondUp, failure, faults } = first;
      const kills = [];
      for (const ms of [1_300, 20_000]) {
        const { result: after, faults: wrong } = await afterKill(make, format, ms, { settings }).catch(thrown);
        kills.push([after, ...wrong].join("; "));
      }
      const figures = [posts, requests, warnings, `${String(postsOfSecondUp)} POSTs`].map(String);
      const cells = [
        `${name}, ${format}`,
        [result, ...faults].join("; "),
        ...figures,
        failure.split(":")[0] ?? "",
        ...kills,
      ];
      say(...cells.map((cell) => cell.replace(/\s+/g, " ").slice(0, part === "" ? 160 : 2_000)));
    }
  }
}

function thrown(error: unknown): Awaited<ReturnType<typeof firstUp>> {
  const result = `threw ${String(error)}`;
  return { result, posts: 0, requests: 0, warnings: 0, faults: [], postsOfSecondUp: 0, failure: "" };
}

void main(process.argv.slice(2));
