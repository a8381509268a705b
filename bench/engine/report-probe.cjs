/* Loaded before the command: tells, at its end, how much memory its process held at most. */
process.once("exit", () => {
  process.stdout.write(`\n${String(process.resourceUsage().maxRSS)}\n`);
});
