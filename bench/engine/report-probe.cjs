/* Loaded before the command. At its end it prints the highest memory and the processor time of its process. */
process.once("exit", () => {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  process.stdout.write(`\n${JSON.stringify({ maxRssKiB: maxRSS, ownMs: (userCPUTime + systemCPUTime) / 1_000 })}\n`);
});
