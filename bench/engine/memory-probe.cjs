/** Loaded into a provider process. Records its peak memory at intervals, because the engine ends the process with a signal. */
const { writeFileSync } = require("node:fs");
const { mostMemory } = require("./most-memory.cjs");
const file = process.env.RECOVERY_BENCH_MEMORY;
if (file && process.argv.some((one) => one.includes("dynamic-provider")))
  setInterval(() => {
    writeFileSync(file, String(mostMemory()));
  }, 250).unref();
