export type Graph = ReadonlyMap<string, readonly string[]>;

/**
 * The circles of a graph: for everything that lies on one, the shortest through it, each told once.
 */
export function rings(graph: Graph): readonly (readonly string[])[] {
  const found = new Map<string, readonly string[]>();
  for (const start of [...graph.keys()].sort()) {
    const ring = ringThrough(start, graph);
    const key = [...(ring ?? [])].sort().join(" ");
    if (ring !== undefined && !found.has(key)) found.set(key, ring);
  }
  return [...found.values()];
}

/** The shortest of some circles, without those that share an arrow with a shorter one: mending that may end them too. */
export function apart(circles: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const told = new Set<string>();
  return [...circles]
    .sort((one, other) => one.length - other.length)
    .filter((ring) => {
      const arrows = ring.map((from, index) => `${from} ${ring[(index + 1) % ring.length] ?? ""}`);
      if (arrows.some((arrow) => told.has(arrow))) return false;
      for (const arrow of arrows) told.add(arrow);
      return true;
    });
}

function ringThrough(start: string, graph: Graph): readonly string[] | undefined {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    for (const next of graph.get(at) ?? []) {
      if (next === start) return [...wayTo(at, cameFrom)];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(end: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const before = cameFrom.get(end);
  return before === undefined ? [end] : [...wayTo(before, cameFrom), end];
}
