import type { Read } from "../feed/feed";
import type { PanelError, UnusableListError } from "../panel/errors";
import { type Message, partsOf } from "../plain/message";
import type { Depth } from "../rows/order";
import type { Run } from "./session";

interface Trouble {
  readonly trouble: Message;
  /** No later read would be any better. */
  readonly ends: boolean;
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
    const { status, permanent } = error as Partial<PanelError & UnusableListError>;
    // The client has asked three times before it gives up on a missing permission.
    const ends = status === 401 || status === 403 || permanent === true;
    return { trouble: partsOf(error), ends };
  }
}
