import { headReader } from "./head-reader";
import { machineLogReader } from "./machine-log";
import type { WaitEvent, Waiting, WaitTools } from "./waiting";

export interface Asking<State> {
  /** Asks what this state leaves open, unless that is being asked already. */
  ask(state: State): void;
  stop(): void;
}

/** What a wait asks the panel for itself, beside the walk of the list that all waits share: answers come as events. */
export function asking<State>(
  tools: WaitTools,
  waiting: Pick<Waiting<State>, "asksMachineLog" | "asksHead">,
  machine: string,
  onAnswer: (event: WaitEvent) => void,
): Asking<State> {
  const log = machineLogReader(tools, machine);
  const heads = headReader(tools);
  return {
    ask(state) {
      if (waiting.asksMachineLog(state)) log.read(onAnswer);
      if (waiting.asksHead?.(state) !== true) return;
      heads.read((head) => {
        onAnswer({ type: "head", head });
      });
    },
    stop() {
      log.stop();
      heads.stop();
    },
  };
}
