import { isScheduled, type Job, jobsOf } from "../../provider/rows/jobs";
import type { Row } from "../../provider/rows/order";
import type { ConfiguredWords } from "../../provider/rows/words";

/** The jobs that a restore of the machine would wait for. */
export function busyJobs(
  { rows, panelTime }: { readonly rows: readonly Row[]; readonly panelTime?: number | undefined },
  machine: string,
  words: ConfiguredWords,
): readonly Job[] {
  const nothing: ReadonlySet<string> = new Set();
  const jobs = jobsOf(rows, {
    target: { kind: "VmRestore", virtualMachineId: machine },
    words,
    mark: { panel: "", pageIds: [] },
    isLater: false,
    above: nothing,
    inLog: nothing,
    foreign: nothing,
    saysFiles: false,
  });
  return jobs.filter(
    (job) => job.whose === "this machine" && job.end === undefined && !isScheduled(job, panelTime, words),
  );
}
