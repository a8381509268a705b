/**
 * Draws the picture of `docs/ready.md`: twelve machines of a drill, one of them gone, one without its recovery point, one with old backups
 * and one at work.
 *
 *     npx ts-node test/cli/support/ready-picture.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { printReady } from "../../../cli/ready/table";
import { asSvg } from "../../../tools/demo/screen";
import { stackOfPlan } from "../../report/support/plans";
import { runReady } from "./run-ready";

const columns = 84;
export const pictureFile = join(__dirname, "..", "..", "..", "docs", "images", "ready.svg");

const names = [
  "db-01",
  "db-02",
  "files-01",
  "queue-01",
  "app-01",
  "app-02",
  "app-03",
  "app-04",
  "web-01",
  "web-02",
  "web-03",
];

export async function picture(): Promise<string> {
  const all = [...names, "proxy-01"].map((name, index) => ({
    name,
    machine: 301 + index,
    point: 7001 + index,
    requested: index,
    ran: 60,
    transaction: String(5_000 + index),
  }));
  const waves = [all.slice(0, 3), all.slice(3, 8), all.slice(8)];
  const points = all.map(({ machine, point }, index) => ({
    id: machine,
    recoveryPoints: [
      { id: machine === 305 ? 7_105 : point, ageSeconds: machine === 309 ? 9 * 86_400 : 12_000 + 700 * index },
    ],
  }));
  const { ready } = await runReady({
    state: stackOfPlan({
      goals: { dataAgeSeconds: 86_400 },
      waves: waves.map((restores, index) => ({ name: ["data", "middle", "front"][index] ?? "", restores })),
    }),
    panel: { scenario: { machines: points.filter(({ id }) => id !== 303) } },
    before: (panel) => panel.addTransaction({ machineId: 306, action: "take_backup", seconds: 500 }),
  });
  const lines = printReady(ready, { columns, colours: "in colour" });
  return asSvg(["$ npx pulumi-recovery ready", ...lines], columns, "pulumi-recovery ready over twelve machines");
}

if (require.main === module)
  void picture().then((svg) => {
    writeFileSync(pictureFile, svg);
  });
