import { randomUUID } from "node:crypto";

/** Names this provider process. An intent that carries it was made a moment ago by this very run. */
export const processId: string = randomUUID();
