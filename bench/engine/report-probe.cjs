/* Loaded before the command. At its end it prints the highest memory of its process. */
process.once("exit", () => {
  process.stdout.write(`\n${String(process.resourceUsage().maxRSS)}\n`);
});
