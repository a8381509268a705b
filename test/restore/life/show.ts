import { historyOf, simpler, type History } from "./history";
import { live } from "./live";
async function main() {
  let h: History = historyOf(Number(process.argv[2]));
  const key = (l: Awaited<ReturnType<typeof live>>) => l.finding && l.finding.what + (l.finding.permitted ?? "");
  const want = key(await live(h));
  let again = want !== undefined && process.argv[3] !== "raw";
  while (again) { again = false; for (const s of simpler(h)) if (key(await live(s)) === want) { h = s; again = true; break; } }
  const l = await live(h, { trace: true });
  console.log(JSON.stringify(h)); console.log(l.trace.join("\n")); console.log(l.finding);
}
void main();
