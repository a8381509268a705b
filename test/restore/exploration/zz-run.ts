import { emptyExploration, explore } from "./explore";
async function main() {
  const [from, to] = process.argv.slice(2).map(Number) as [number, number];
  const ex = emptyExploration();
  const t = Date.now();
  for (let seed = from; seed < to; seed++) {
    try {
      await explore(seed, ex);
    } catch (e) {
      console.log(seed, "THREW", String((e as Error).stack).slice(0, 400));
    }
  }
  for (const [kind, { permitted, seeds }] of ex.findings)
    console.log(permitted ?? "FAULT", "|", kind, seeds.length, seeds.slice(0, 8).join(" "));
  console.log({ histories: ex.histories, bare: (ex as any).bare, requests: (ex as any).requests, ms: Date.now() - t });
}
void main();
