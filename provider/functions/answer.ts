import type { ExplicitTexts } from "../config/explicit";
import type { PanelClient } from "../panel/terms/types";
import { messageOf } from "../text/message-of";
import { withoutMarkupIn } from "../text/for-terminal";
import { clientFor } from "./clients";
import { failure, reported } from "./failure";
import type { PanelFunction, ReadingSettings } from "./panel-function";
import { connectionSettings } from "./settings-of-call";
import { warnWhenLarge } from "./size";

/** What a program gets for one call: its arguments are known, and so are its provider's settings. */
export async function answer<Args extends object, Result extends object>(
  what: PanelFunction<Args, Result>,
  args: Args,
  explicit: ExplicitTexts | undefined,
): Promise<Result> {
  const problems = what.problems(args);
  if (problems.length > 0) throw failure(what, `no request was made: ${problems.join("; ")}`);
  const settings = reported(what, () => connectionSettings(explicit));
  const client = reported(what, () => clientFor(settings));
  const result = await readWith(what, args, client, settings);
  warnWhenLarge(what.name, result);
  return result;
}

/** What the panel says, as it can be carried on. The arguments have no problems. */
export async function readWith<Args extends object, Result extends object>(
  what: PanelFunction<Args, Result>,
  args: Args,
  client: PanelClient,
  settings: ReadingSettings,
): Promise<Result> {
  const read = await what.read(client, args, settings).catch((error: unknown) => {
    throw failure(what, `could not read ${what.reads(args)} on ${client.address}. ${messageOf(error)}`, error);
  });
  return withoutMarkupIn(read);
}
