import type { CheckFailure, CheckResult } from "../inputs/check-restore";
import { isObject, type Properties, omitUndefinedDeep } from "../plain/plain";
import { forTerminal, isEngineSafe, engineSafeText, engineSafeData } from "../plain/text";
import type { DiffResult } from "./diff-restore";
import { plainFailure, StoredFailure, StoredPlanFailure } from "./outputs";

/** What the engine asks of a resource, whichever way it asks. */
export interface Operations {
  check(olds: unknown, news: unknown): CheckResult;
  diff(id: string, olds: Properties, news: Properties): DiffResult;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  read(id: string, outputs: Properties): Promise<{ id: string; props: Properties }>;
  delete(id: string, outputs: Properties): Promise<void>;
}

/**
 * The one door between a resource and the engine. What goes out holds nothing that would end the engine or lose the answer: no text
 * it takes for a colour, no half of a character pair, no `undefined`, no error but the project's own. What comes in is
 * cleaned the same way: a state of 1.0.0 may hold such a text, and must compare as equal to what leaves through here.
 */
export function sanitized(provider: Operations): Operations {
  return {
    // Its inputs come in as they are: they are what the engine is going to print.
    check: (olds, news) => sanitizedCheck(news, provider.check(olds, news)),
    diff(id, olds, news) {
      try {
        return provider.diff(id, sanitizedProperties(olds), sanitizedProperties(news));
      } catch (error) {
        throw sanitizedError(error);
      }
    },
    async create(inputs) {
      const { id, outs } = await withSanitizedErrors(() => provider.create(sanitizedProperties(inputs)));
      return { id: engineSafeText(id), outs: sanitizedProperties(outs) };
    },
    async update(id, olds, news) {
      const { outs } = await withSanitizedErrors(() =>
        provider.update(id, sanitizedProperties(olds), sanitizedProperties(news)),
      );
      return { outs: sanitizedProperties(outs) };
    },
    async read(id, outputs) {
      const found = await withSanitizedErrors(() => provider.read(id, sanitizedProperties(outputs)));
      return { id: engineSafeText(found.id), props: sanitizedProperties(found.props) };
    },
    delete: (id, outputs) => withSanitizedErrors(() => provider.delete(id, sanitizedProperties(outputs))),
  };
}

async function withSanitizedErrors<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw sanitizedError(error);
  }
}

/**
 * What a check of a plan asks is sent to the machine as it was given, so it is kept as it is: it is a secret as a whole, which the engine
 * never prints. What the engine cannot carry at all does not get this far.
 */
const secretInputs = ["probes", "expected"] as const;

function sanitizedProperties(properties: Properties): Properties {
  const clean = omitUndefinedDeep(engineSafeData(properties)) as Properties;
  const present = secretInputs.filter((name) => properties[name] !== undefined);
  return { ...clean, ...Object.fromEntries(present.map((name) => [name, omitUndefinedDeep(properties[name])])) };
}

function sanitizedError(error: unknown): Error {
  if (!(error instanceof StoredFailure || error instanceof StoredPlanFailure)) return plainFailure(error);
  const reasons = error.reasons.map(forTerminal);
  return Object.assign(new Error(reasons.join("\n")), {
    id: engineSafeText(error.id),
    properties: sanitizedProperties(error.properties),
    reasons,
  });
}

function sanitizedCheck(news: unknown, { inputs, failures }: CheckResult): CheckResult {
  return { inputs: sanitizedProperties(inputs), failures: failures.map((failure) => sanitizedFailure(failure, news)) };
}

/**
 * Beside the reason the engine prints the name of the property and the value that the program gave, which `check` cannot change. Where
 * either would end the engine, the failure is one of the whole resource, and its reason alone says what it is about.
 */
function sanitizedFailure({ property, reason }: CheckFailure, news: unknown): CheckFailure {
  const printed = isObject(news) && Object.hasOwn(news, property) ? news[property] : undefined;
  if (isEngineSafe(property) && isEngineSafe(printed)) return { property, reason: forTerminal(reason) };
  const named = reason.startsWith(property) ? reason : `${property.slice(0, maxNameLength)}: ${reason}`;
  return { property: "", reason: forTerminal(named) };
}

const maxNameLength = 60;
