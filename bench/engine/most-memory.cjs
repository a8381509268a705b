const { readFileSync } = require("node:fs");

/** The peak memory of this process, in KiB. On Linux, Node.js would report the parent's peak if that is higher. */
exports.mostMemory = () => {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
};
