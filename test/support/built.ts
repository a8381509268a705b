import { join } from "node:path";

/** The package as users install it. The test setup builds it, because each separate process would otherwise compile the sources. */
export const built = join(__dirname, "..", "..", "dist");

export const builtCommand = join(built, "cli", "main.js");
