import { stripVTControlCharacters } from "node:util";
import type { EngineEvent, OpMap, OutputMap } from "@pulumi/pulumi/automation";

/** One run of the engine, as seen at the terminal and in the engine's own events. */
export interface Run extends Ending {
  /** Without colors. */
  readonly stdout: string;
  readonly stderr: string;
  readonly events: readonly EngineEvent[];
  /** The number of resources for each kind of change, from the engine's summary: `{ create: 2, same: 1 }`. */
  readonly changes: Readonly<OpMap>;
  /** The messages (progress, warnings and errors) and their resources, without the SDK's debug messages. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface Ending {
  /** The stack's outputs; empty unless `up` succeeded. */
  readonly outputs: OutputMap;
  /** Why the run failed; contains the engine's whole output. */
  readonly error?: string;
}

interface Diagnostic {
  readonly severity: string;
  readonly message: string;
  /** Empty when the message belongs to the stack. */
  readonly urn: string;
  readonly ephemeral: boolean;
}

export function runOf(ending: Ending, { stdout, stderr, events }: Pick<Run, "stdout" | "stderr" | "events">): Run {
  return {
    ...ending,
    stdout: stripVTControlCharacters(stdout),
    stderr: stripVTControlCharacters(stderr),
    events,
    changes: events.find((event) => event.summaryEvent)?.summaryEvent?.resourceChanges ?? {},
    diagnostics: events.flatMap(diagnosticOf),
  };
}

function diagnosticOf(event: EngineEvent): Diagnostic[] {
  const found = event.diagnosticEvent;
  if (!found || (found.severity as string) === "debug") return [];
  return [
    {
      severity: found.severity,
      message: stripVTControlCharacters(found.message)
        .replace(/<\{%.*?%\}>/g, "")
        .trimEnd(),
      urn: found.urn ?? "",
      ephemeral: found.ephemeral ?? false,
    },
  ];
}
