import type { CheckFailure, CheckResult } from "../inputs/check-restore";
import { isObject, type Properties, omitUndefinedDeep } from "../plain/plain";
import { errorMessage, forTerminal, isEngineSafe, engineSafeText, engineSafeData, onOneLine } from "../plain/text";
import type { DiffResult } from "./diff-restore";
import { StoredFailure } from "./outputs";
import type { ProviderProcess } from "./process";

/** The calls that the engine makes for a resource, to a dynamic provider or to the plugin. */
export interface Operations {
  check(olds: unknown, news: unknown): CheckResult | Promise<CheckResult>;
  diff(id: string, olds: Properties, news: Properties): DiffResult | Promise<DiffResult>;
  create(inputs: Properties): Promise<{ id: string; outs: Properties }>;
  update(id: string, olds: Properties, news: Properties): Promise<{ outs: Properties }>;
  read(id: string, outputs: Properties): Promise<{ id: string; props: Properties }>;
  delete(id: string, outputs: Properties): void | Promise<void>;
}

/**
 * Cleans everything that passes between a resource and the engine. Data sent to the engine contains no `undefined`, no lone surrogate, and no text that the
 * engine would read as a color code. Errors are always this project's own. Anything else would end the engine or lose the answer. Inputs are cleaned in the
 * same way, so that they equal what is stored. Each answer waits until all messages have been sent, because the engine may end this process right after it.
 *
 * From the first call on, the process exits once its engine is gone. `check` counts too, because it may be the only call that this process serves.
 */
export function sanitized(provider: Operations, providerProcess: EngineSide): Operations {
  const answered = async <Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> => {
    providerProcess.exitWithEngine();
    try {
      return await work();
    } catch (error) {
      throw sanitizedError(error, providerProcess);
    } finally {
      await providerProcess.engineLog.flushed();
    }
  };
  return {
    // `check` receives its inputs unchanged, because the engine will print them.
    check: async (olds, news) => sanitizedCheck(news, await answered(() => provider.check(olds, news))),
    diff: (id, olds, news) => answered(() => provider.diff(id, sanitizedProperties(olds), sanitizedProperties(news))),
    async create(inputs) {
      const { id, outs } = await answered(() => provider.create(sanitizedProperties(inputs)));
      return { id: engineSafeText(id), outs: sanitizedProperties(outs) };
    },
    async update(id, olds, news) {
      const { outs } = await answered(() => provider.update(id, sanitizedProperties(olds), sanitizedProperties(news)));
      return { outs: sanitizedProperties(outs) };
    },
    async read(id, outputs) {
      const found = await answered(() => provider.read(id, sanitizedProperties(outputs)));
      return { id: engineSafeText(found.id), props: sanitizedProperties(found.props) };
    },
    delete: (id, outputs) => answered(() => provider.delete(id, sanitizedProperties(outputs))),
  };
}

type EngineSide = Pick<ProviderProcess, "engineLog" | "exitWithEngine" | "nameSettings">;

function sanitizedProperties(properties: Properties): Properties {
  // Undefined values are removed first, because a cleaned name may equal the name of an undefined value.
  return engineSafeData(omitUndefinedDeep(properties) as Properties);
}

/**
 * Only the message of an error that stores nothing is kept: the engine would store a resource for any error with a field `id`, and a stack trace or the
 * underlying request does not belong on a terminal.
 */
function sanitizedError(error: unknown, { nameSettings }: EngineSide): Error {
  const message = forTerminal(nameSettings(errorMessage(error)));
  // The provider process prints the stacks of errors from `read` and `delete`.
  if (!(error instanceof StoredFailure)) return Object.assign(new Error(message), { stack: "" });
  return Object.assign(new Error(message), {
    id: engineSafeText(error.id),
    properties: sanitizedProperties(error.properties),
    reasons: [message],
  });
}

function sanitizedCheck(news: unknown, { inputs, failures }: CheckResult): CheckResult {
  return { inputs: sanitizedProperties(inputs), failures: failures.map((failure) => sanitizedFailure(failure, news)) };
}

/**
 * Along with the reason, the engine prints the property's name and the program's value, which `check` cannot change. If either would end the engine, the
 * failure is reported for the whole resource, and its reason names the property.
 */
function sanitizedFailure({ property, reason }: CheckFailure, news: unknown): CheckFailure {
  const printed = isObject(news) && Object.hasOwn(news, property) ? news[property] : undefined;
  if (isEngineSafe(property) && isEngineSafe(printed)) return { property, reason: forTerminal(reason) };
  const named = reason.startsWith(property) ? reason : `${onOneLine(property)}: ${reason}`;
  return { property: "", reason: forTerminal(named) };
}
