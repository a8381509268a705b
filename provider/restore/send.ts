import type { MachineId, PostAnswer, RecoveryPointId } from "../panel/types";
import { pause } from "../plain/clock";
import { unacceptedText } from "./messages";
import type { Run } from "./session";

/** If an answer takes longer than this, the list is read without waiting for the answer. */
const quickAnswerMs = 3_000;

export interface Sent {
  /** The number of this POST among all POSTs to this panel. */
  readonly nth: number;
  /** Absent at first, because some panels answer only after the restore has ended. */
  answer: PostAnswer | undefined;
  /** Resolves with the answer, or once the answer takes too long to wait for. */
  readonly soFar: Promise<void>;
}

/** The only function that requests a restore. */
export function send({ session, request, reporter }: Run): Sent {
  const { client, clock, unlisted, requestTimeoutMs } = session;
  const { target, timeouts } = request;
  const [machine, point] = [target.virtualMachineId as MachineId, target.recoveryPointId as RecoveryPointId];
  const limitMs = Math.max(requestTimeoutMs, timeouts.listedMs);
  const nth = ++unlisted.posts;
  const sending =
    target.kind === "VmRestore"
      ? client.restoreMachine(machine, point, limitMs)
      : client.restoreFiles(machine, point, target.paths ?? [], limitMs);
  const isAnswered = new AbortController();
  const answered = sending.then((answer) => {
    sent.answer = answer;
    isAnswered.abort();
    if (answer.kind === "unknown" || answer.kind === "denied") reporter.warn(unacceptedText(answer));
  });
  const soFar = Promise.race([answered, pause(clock, quickAnswerMs, isAnswered.signal).catch(() => undefined)]);
  const sent: Sent = { nth, answer: undefined, soFar };
  return sent;
}
