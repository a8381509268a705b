import { historyOf } from "/work/clones/explore/test/restore/life/history";
import { live } from "/work/clones/explore/test/restore/life/live";
async function main() {
  const n = Number(process.argv[2]), from = Number(process.argv[3] ?? 0);
  const t = Date.now(); let steps = 0, requests = 0; const what = new Map<string, number[]>();
  for (let s = from; s < from + n; s++) {
    const l = await live(historyOf(s)); steps += l.steps; requests += l.requests;
    const k = l.finding ? `${l.finding.what} [${l.finding.permitted ?? "FAULT"}]` : "fine";
    what.set(k, [...(what.get(k) ?? []), s]);
  }
  const ms = Date.now() - t;
  console.log(n, "histories", steps, "steps", requests, "requests", ms, "ms", Math.round(n / ms * 60000), "/min");
  for (const [k, v] of [...what].sort((a, b) => b[1].length - a[1].length)) console.log(v.length, k.slice(0,300), v.slice(0, 4).join(" "));
}
void main();
