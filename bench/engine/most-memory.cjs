const { readFileSync } = require("node:fs");

/** The peak memory of this process, in KiB. On Linux, the value from Node.js is never below that of the parent process. */
exports.mostMemory = () => {
  if (process.platform !== "linux") return process.resourceUsage().maxRSS;
  return Number(/VmHWM:\s*(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]);
};
