import { dynamicBackend } from "../../provider/program/backend";
import { noOpProvider } from "../engine/programs";
import { ProviderProcess } from "../engine/provider-process";
import { milliseconds, type Case } from "../report";
import { interleaved, median } from "../statistics";

const pairs = 9;
const mostExtraMs = 150;
const urn = "urn:pulumi:dev::drill::pulumi-nodejs:dynamic/recovery:VmRestore::web";

export const firstCall: Case = {
  name: "first-call",
  async run() {
    const { ours, other } = await interleaved(pairs, {
      ours: () => timedFirstCall(String(dynamicBackend.extraProperties("VmRestore")["__provider"])),
      other: () => timedFirstCall(noOpProvider),
    });
    const extra = median(ours) - median(other);
    return {
      title: "First call in the provider process",
      about:
        "From sending the first `Check` to its answer: the process loads the provider, configures it and checks. The " +
        `SDK's own provider process, driven over gRPC; ${String(pairs)} pairs of new processes, interleaved.`,
      columns: ["", "median"],
      rows: [
        ["pulumi-recovery", milliseconds(median(ours))],
        ["no-op dynamic provider", milliseconds(median(other))],
      ],
      bars: [
        {
          claim: `at most ${String(mostExtraMs)} ms more than a no-op provider`,
          measured: milliseconds(extra),
          met: extra <= mostExtraMs,
        },
      ],
    };
  },
};

async function timedFirstCall(text: string): Promise<number> {
  const running = await ProviderProcess.start();
  try {
    const startedAt = performance.now();
    await running.check(urn, { __provider: text, virtualMachineId: "42", recoveryPointId: "1007" });
    return performance.now() - startedAt;
  } finally {
    await running.stop();
  }
}
