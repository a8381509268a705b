/** Loaded into a provider process: writes down now and then the most memory that it has had, because the engine ends it with a signal. */
const { writeFileSync } = require("node:fs");
const { mostMemory } = require("./most-memory.cjs");
const file = process.env.RECOVERY_BENCH_MEMORY;
if (file && process.argv.some((one) => one.includes("dynamic-provider")))
  setInterval(() => {
    writeFileSync(file, String(mostMemory()));
  }, 250).unref();
