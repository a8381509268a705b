import type { MakePanel } from "./panel";
import { four, type Format, OnStage } from "./stage";

type Settings = Readonly<Record<string, string>>;

/**
 * Runs `up` twice, and then an `up` in which the restore of machine 44 is sent again and fails. `result` is
 * `complete` or the text of the errors; `failure` is the text about the failed restore.
 */
export async function firstUp(make: MakePanel, format: Format, settings: Settings = {}) {
  const stage = new OnStage(make, format, { settings });
  const { errors } = await stage.up();
  const isComplete = stage.statuses().every((status) => status === "complete");
  const result = errors.size === 0 && isComplete ? "complete" : [...errors.values(), ...stage.statuses()].join("\n");
  const posts = stage.posted.length;
  const faults = stage.faults();
  const story = { result, posts, faults };
  if (result !== "complete") return { ...story, postsOfSecondUp: 0, failure: "" };
  await stage.up();
  const postsOfSecondUp = stage.posted.length - posts;
  stage.failing.add("44");
  stage.newTriggers(four.length - 1);
  const failed = await stage.up();
  const status = String(stage.outputsOf(four.length - 1)["status"]);
  const failure = `${status}: ${failed.errors.get(four.length - 1) ?? ""}`;
  return { ...story, postsOfSecondUp, failure, faults: [...faults, ...stage.faults(2)] };
}

/**
 * Kills a run this long after its first POST, then runs `up` and follows the advice in its questions until
 * everything is complete. `result` is `adopted`, `asks`, or the reason why it got stuck.
 */
export async function afterKill(
  make: MakePanel,
  format: Format,
  killAfterMs: number,
  { settings = {}, othersEveryMs }: { readonly settings?: Settings; readonly othersEveryMs?: number } = {},
) {
  const stage = new OnStage(make, format, { settings });
  if (othersEveryMs !== undefined) stage.othersWork(othersEveryMs);
  await stage.killed(killAfterMs);
  const finished = await stage.finish();
  const result = typeof finished === "string" ? finished : finished === 0 ? "adopted" : "asks";
  return { result, faults: stage.faults() };
}

/** Runs `up` while others are always at work on their own machines. A question is not a fault, but a wrong transaction is. */
export async function amongOthers(make: MakePanel, format: Format, settings: Settings): Promise<readonly string[]> {
  const stage = new OnStage(make, format, { settings });
  stage.othersWork(7_000);
  await stage.up();
  await stage.up();
  return stage.faults();
}
