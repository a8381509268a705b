"use strict";
const Module = require("node:module");

/**
 * Loads two packages only when they are used. Loading them takes half of a provider process's start-up time, and they are needed only for functions that are
 * stored as code, of which this project has none. Use with `--require`.
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
        // The SDK's import reads this property first. If the value is true, the module is not copied, so it need not be loaded yet.
        if (name === "__esModule" && !loaded) return true;
        loaded ??= /** @type {object} */ (load(request, parent, isMain));
        return Reflect.get(loaded, name);
      },
    },
  );
};
