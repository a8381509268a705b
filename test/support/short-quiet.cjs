"use strict";
const Module = require("node:module");

/**
 * Shortens the quiet time of a later attempt: a test's panel lists its rows at once, so nobody needs to wait a minute for them.
 * The minimum is not a setting, so this file changes it in the provider process itself. Use this file with `--require`.
 */
const shortestListedMs = 1_000;

/** @type {{ _load(request: string, parent: { filename?: string } | undefined, isMain: boolean): unknown }} */
const loader = /** @type {never} */ (Module);
const load = loader._load.bind(loader);

loader._load = (request, parent, isMain) => {
  const loaded = load(request, parent, isMain);
  if (request.endsWith("restore/session") && parent?.filename?.includes("provider"))
    /** @type {{ shortestListedMs: number }} */ (loaded).shortestListedMs = shortestListedMs;
  return loaded;
};
