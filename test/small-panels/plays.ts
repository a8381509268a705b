import type { MakePanel } from "./panel";
import { four, type Format, OnStage } from "./stage";

type Settings = Readonly<Record<string, string>>;

/**
 * A first `up`, a second `up`, and then an `up` in which the restore of machine 44 is sent again and fails. `result` is
 * `complete`, or what the errors say; `failure` is the text about the restore that fails.
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
 * A run is killed this long after its first POST; then `up` runs, and the advice of its questions is followed, until
 * all is complete. `result` is `adopted`, `asks`, or why it does not continue.
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

/** Others work on their own machines all the time. A question is no fault; a wrong transaction is. */
export async function amongOthers(make: MakePanel, format: Format, settings: Settings): Promise<readonly string[]> {
  const stage = new OnStage(make, format, { settings });
  stage.othersWork(7_000);
  await stage.up();
  await stage.up();
  return stage.faults();
}
