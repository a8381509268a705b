import { historyOf } from "./history";
import { live } from "./live";
import { shortest } from "./explore";
async function main() {
  const [seed, how] = process.argv.slice(2);
  if (how === "short") {
    const { history, life } = await shortest(Number(seed));
    console.log(JSON.stringify(history));
    console.log(life.finding, life.trace.join("\n"));
    return;
  }
  const history = historyOf(Number(seed));
  const life = await live(history, { trace: true } as never);
  console.log(JSON.stringify(history));
  console.log(life.finding);
  console.log(life.trace.join("\n"));
}
void main();
