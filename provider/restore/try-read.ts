import type { Read } from "../feed/feed";
import type { PanelError, UnusableListError } from "../panel/errors";
import { errorMessage } from "../plain/text";
import type { Depth } from "../rows/order";
import type { HelpWord } from "./messages";
import type { Run } from "./session";

interface Trouble {
  readonly trouble: string;
  /** The same for the progress of a wait. It leaves out the request's id: each new text is a line of a pipeline's log. */
  readonly progress: string;
  /** No later read would be any better. */
  readonly ends: boolean;
  readonly help: HelpWord;
}

/** A failed read means nothing, but for credentials that are refused, and for a list that cannot be used. */
export async function tryRead(
  { session: { feed } }: Pick<Run, "session">,
  depth: Depth,
  withinMs: number,
): Promise<Read | Trouble> {
  try {
    return await feed.read(depth, withinMs);
  } catch (error) {
    const { status, permanent, requestId } = error as Partial<PanelError & UnusableListError>;
    const trouble = errorMessage(error);
    const reason = requestId === undefined ? trouble : trouble.replace(` Request id: ${requestId}.`, "");
    const progress = `the panel's list cannot be read, trying again: ${reason}`;
    // The client has asked three times before it gives up on a missing permission.
    const ends = status === 401 || status === 403 || permanent === true;
    return { trouble, progress, ends, help: permanent === true ? "fields" : "connection" };
  }
}
