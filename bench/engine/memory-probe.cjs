/** Loaded into a provider process. When asked, it collects garbage and sends the bytes still in use. */
process.on("message", () => {
  global.gc?.();
  global.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.(heapUsed + external);
});
process.channel?.unref();
