/* Loaded before the command. When the process exits, this prints the peak memory and the processor time. */
const { mostMemory } = require("./most-memory.cjs");

process.once("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stdout.write(
    `\n${JSON.stringify({ mostKiB: mostMemory(), ownMs: (userCPUTime + systemCPUTime) / 1_000 })}\n`,
  );
});
