import { join } from "node:path";

/** The package as users have it, which the set-up builds, because a separate process would compile it again each time. */
export const built = join(__dirname, "..", "..", "dist");

/** The command's file. */
export const builtCommand = join(built, "cli", "main.js");
