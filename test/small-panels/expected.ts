import { a } from "./panels/a";
import { b } from "./panels/b";
import { c } from "./panels/c";
import { d } from "./panels/d";
import { plain } from "./plainest";
import type { Panel } from "./taste";

interface Expected {
  /** Whether the next `up` adopts a killed run's restore or asks a question. */
  readonly afterKill: "adopted" | "asks";
  /** Settings that the provider cannot guess. Without them, nothing is sent, and the error shows what to set. */
  readonly needs?: Readonly<Record<string, string>>;
  /** The status of a restore that failed. @default "failed" */
  readonly failsAs?: "failed" | "cancelled";
}

export const panels: Readonly<Record<string, Panel>> = { ...plain, ...a, ...b, ...c, ...d };

/** The panels whose rows identify a killed run's restore. */
const adopting = new Set([
  ...["wrapped rows", "camel case, nested steps", "XML elements, chained start", "JSON:API, row per file"],
  ...["status stopped, with an exit status", "wrapped Rails rows", "Spring page envelope", "Django REST hyperlinks"],
  ...["UUIDs in JSON:API", "virtual_machine_id, both formats", "target, starts empty", "at most twenty rows"],
  ...["404 past the end", "one suffix only", "XML attributes", "XML tasks with an owner", "Go, empty and null"],
  "POST waits for the end",
]);

const more: Readonly<Record<string, Omit<Expected, "afterKill">>> = {
  // This panel's id field is called upid, and the status of a failed job is a whole sentence.
  "status stopped, with an exit status": {
    needs: {
      "recovery:fields": JSON.stringify({ id: "upid", machine: "vmid" }),
      "recovery:failedStatuses": "unable to read recovery point: input/output error",
    },
  },
  "enterprise XML attributes": { failsAs: "cancelled" },
  "ticket_no and lamp": {
    needs: {
      "recovery:fields": JSON.stringify({ id: "ticket_no", status: "lamp", action: "errand", machine: "machine_no" }),
      "recovery:completeStatuses": "green",
      "recovery:failedStatuses": "red",
    },
  },
};

export const expected: Readonly<Record<string, Expected>> = Object.fromEntries(
  Object.keys(panels).map((name) => [name, { afterKill: adopting.has(name) ? "adopted" : "asks", ...more[name] }]),
);
