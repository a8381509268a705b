import { createRequire } from "node:module";
import type * as Dynamic from "../../../provider/dynamic";

const loaded = createRequire(__filename).cache;

/** A provider process of its own, without an engine: what it is configured with stays with it. */
export function freshProcess(): typeof Dynamic {
  const folder = /[\\/]provider[\\/]dynamic[\\/]/;
  const before = Object.entries(loaded).filter(([path]) => folder.test(path));
  for (const [path] of before) Reflect.deleteProperty(loaded, path);
  const { argv } = process;
  process.argv = argv.slice(0, 2);
  try {
    return createRequire(__filename)("../../../provider/dynamic") as typeof Dynamic;
  } finally {
    process.argv = argv;
    for (const path of Object.keys(loaded).filter((name) => folder.test(name))) Reflect.deleteProperty(loaded, path);
    Object.assign(loaded, Object.fromEntries(before));
  }
}
