/* Loaded before the command. At its end it prints the highest memory and the processor time of its process. */
const { mostMemory } = require("./most-memory.cjs");

process.once("exit", () => {
  const { userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stdout.write(
    `\n${JSON.stringify({ mostKiB: mostMemory(), ownMs: (userCPUTime + systemCPUTime) / 1_000 })}\n`,
  );
});
