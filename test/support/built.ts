import { join } from "node:path";

/** The package as users have it. The setup builds it, because a separate process would otherwise compile it each time. */
export const built = join(__dirname, "..", "..", "dist");

/** The file of the command-line interface. */
export const builtCommand = join(built, "cli", "main.js");
