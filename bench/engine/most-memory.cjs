const { readFileSync } = require("node:fs");

/** The most memory that this process has had, in KiB. What Node.js says on Linux is at least the memory of the process that started this one. */
exports.mostMemory = () => {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
};
