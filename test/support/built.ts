import { join } from "node:path";

/** The package as users have it, which set-up builds: a process of its own would compile it anew each time. */
export const built = join(__dirname, "..", "..", "dist");

/** The command's file. */
export const builtCommand = join(built, "cli", "main.js");
