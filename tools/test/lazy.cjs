"use strict";
const Module = require("node:module");

/**
 * Two packages take half of the time in which a provider process starts, and only functions that are stored as code need them; this
 * project stores none. A process that is started with `--require` of this file loads them when they are first used.
 */
const late = ["typescript", "@npmcli/arborist"];

/** @type {{ _load(request: string, parent: { filename?: string } | undefined, isMain: boolean): unknown }} */
const loader = /** @type {never} */ (Module);
const load = loader._load.bind(loader);

loader._load = (request, parent, isMain) => {
  if (!late.includes(request) || !parent?.filename?.includes("@pulumi")) return load(request, parent, isMain);
  /** @type {object | undefined} */
  let loaded;
  return new Proxy(
    {},
    {
      get: (_, name) => {
        // Asked by the SDK's own import: a module that says yes is not copied, and so not used yet.
        if (name === "__esModule" && !loaded) return true;
        loaded ??= /** @type {object} */ (load(request, parent, isMain));
        return Reflect.get(loaded, name);
      },
    },
  );
};
