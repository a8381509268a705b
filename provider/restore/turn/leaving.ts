import type { LaneTurn } from "./lane";
import { Place } from "./place";
import type { Posted } from "./posted";
import type { Slots } from "./slots";

/** What work comes to that may leave a restore behind which has not ended, in its turn or on its place. */
export interface Leaving {
  readonly leftBehind?: Posted;
}

/** Does something in a turn, and leaves it whatever happens. */
export async function withTurn<T extends Leaving>(turn: LaneTurn, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    turn.leave(done.leftBehind);
    return done;
  } finally {
    turn.leave();
  }
}

/** Does something that may take a place, and gives it back whatever happens. */
export async function withPlace<T extends Leaving>(slots: Slots, work: (place: Place) => Promise<T>): Promise<T> {
  const place = new Place(slots);
  try {
    const done = await work(place);
    place.giveBack(done.leftBehind);
    return done;
  } finally {
    place.giveBack();
  }
}

/** The same for something that takes a place at once: a restore that is on the panel already. */
export function onPlace<T extends Leaving>(slots: Slots, work: () => Promise<T>): Promise<T> {
  return withPlace(slots, (place) => {
    place.occupy();
    return work();
  });
}
