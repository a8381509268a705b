import type { Read } from "../feed/feed";
import { errorMessage } from "../plain/text";
import type { Depth } from "../rows/order";
import type { Run } from "./session";

interface Trouble {
  readonly trouble: string;
  /** No later read would be any better. */
  readonly ends: boolean;
  readonly isForbidden: boolean;
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
    const { status, permanent } = error as { readonly status?: number; readonly permanent?: boolean };
    return { trouble: errorMessage(error), ends: status === 401 || permanent === true, isForbidden: status === 403 };
  }
}
