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
export function atTheDoor(provider: Operations): Operations {
  return {
    // Its inputs come in as they are: they are what the engine is going to print.
    check: (olds, news) => checked(news, provider.check(olds, news)),
    diff(id, olds, news) {
      try {
        return provider.diff(id, cleaned(olds), cleaned(news));
      } catch (error) {
        throw toldToEngine(error);
      }
    },
    async create(inputs) {
      const { id, outs } = await answered(() => provider.create(cleaned(inputs)));
      return { id: engineSafeText(id), outs: cleaned(outs) };
    },
    async update(id, olds, news) {
      const { outs } = await answered(() => provider.update(id, cleaned(olds), cleaned(news)));
      return { outs: cleaned(outs) };
    },
    async read(id, outputs) {
      const found = await answered(() => provider.read(id, cleaned(outputs)));
      return { id: engineSafeText(found.id), props: cleaned(found.props) };
    },
    delete: (id, outputs) => answered(() => provider.delete(id, cleaned(outputs))),
  };
}

async function answered<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw toldToEngine(error);
  }
}

/**
 * What a check of a plan asks is sent to the machine as it was given, so it is kept as it is: it is a secret as a whole, which the engine
 * never prints. What the engine cannot carry at all does not get this far.
 */
const neverPrinted = ["probes", "expected"] as const;

function cleaned(properties: Properties): Properties {
  const clean = omitUndefinedDeep(engineSafeData(properties)) as Properties;
  const kept = neverPrinted.filter((name) => properties[name] !== undefined);
  return { ...clean, ...Object.fromEntries(kept.map((name) => [name, omitUndefinedDeep(properties[name])])) };
}

function toldToEngine(error: unknown): Error {
  if (!(error instanceof StoredFailure || error instanceof StoredPlanFailure)) return plainFailure(error);
  const reasons = error.reasons.map(forTerminal);
  return Object.assign(new Error(reasons.join("\n")), {
    id: engineSafeText(error.id),
    properties: cleaned(error.properties),
    reasons,
  });
}

function checked(news: unknown, { inputs, failures }: CheckResult): CheckResult {
  return { inputs: cleaned(inputs), failures: failures.map((failure) => tellable(failure, news)) };
}

/**
 * Beside the reason the engine prints the name of the property and the value that the program gave, which `check` cannot change. Where
 * either would end the engine, the failure is one of the whole resource, and its reason alone says what it is about.
 */
function tellable({ property, reason }: CheckFailure, news: unknown): CheckFailure {
  const printed = isObject(news) && Object.hasOwn(news, property) ? news[property] : undefined;
  if (isEngineSafe(property) && isEngineSafe(printed)) return { property, reason: forTerminal(reason) };
  const named = reason.startsWith(property) ? reason : `${property.slice(0, longestName)}: ${reason}`;
  return { property: "", reason: forTerminal(named) };
}

const longestName = 60;
