import { killAndGoOn, nameOf, type Case } from "./killing/case";
import { needsProcesses } from "./support/processes";
import { useScene } from "./support/scene";

/** One case of each way to be killed and of each moment from the mark on. The long run has all pairs, of both kinds, alone and ten in flight, and from YAML. */
const cases: readonly Case[] = [
  { kind: "FileRestore", restores: 1, moment: "between mark and POST", killer: "kill -9 of the provider process" },
  { kind: "VmRestore", restores: 1, moment: "after the POST was sent", killer: "kill -9 of the CLI" },
  { kind: "FileRestore", restores: 1, moment: "after the POST was answered", killer: "Ctrl-C twice" },
  { kind: "VmRestore", restores: 1, moment: "while queued", killer: "a cancelled pipeline (SIGTERM, then SIGKILL)" },
  { kind: "FileRestore", restores: 1, moment: "while running", killer: "power loss of the panel" },
  {
    kind: "FileRestore",
    restores: 1,
    moment: "after the end, before the engine recorded it",
    killer: "kill -9 of the CLI",
  },
];

describe("a run that is killed leaves exactly one restore behind", () => {
  const scene = useScene();

  needsProcesses();

  for (const one of cases) {
    it(nameOf(one), () => killAndGoOn(scene, one));
  }
});
