/** Loaded into a provider process: tells, when asked, how much is in use once all that is not has been collected. */
process.on("message", () => {
  global.gc?.();
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
process.channel?.unref();
