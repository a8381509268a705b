import type { Intent, RestoreKind } from "../restore/terms/intent";
import { endedBadly, logEnd } from "../restore/telling/messages";
import { logTail } from "../restore/telling/mask";
import { permit } from "../restore/permit";
import type { RestorePlan } from "../restore/terms/restore-plan";
import { isFinished, type RestoreRecord } from "../restore/terms/record";
import { lookAgain, resumeRestore, takeTransaction } from "../restore/resume";
import type { RestoreResult, Voice } from "../restore/terms/result";
import { runRestore } from "../restore/run";
import { messageOf } from "../text/message-of";
import { checkRestore } from "./check";
import { diffRestore } from "./diff";
import { atTheDoor, type DynamicProvider } from "../dynamic/door";
import { StoredFailure } from "./failure";
import { claims, configure, panelSite, voice } from "../dynamic/here";
import { parseRestoreInputs } from "./inputs";
import { readIntent } from "./intent-input";
import { Kept } from "./kept";
import { nameInUrn, restoreUrnOf } from "./names";
import { Once } from "./once";
import { idOf, outputsOf, recordIn, type Properties } from "./outputs";
import { beginStep } from "./plan-step";
import { processId } from "../engine/process-id";
import { nothingRestored, Replacements } from "./replaced";
import type { Operation } from "./rules";
import { endWithTheEngine } from "../engine/watchdog";

const outcomes = new Once<RestoreResult>();
const replacements = new Replacements();
const kept = new Kept();

/** The engine's side of a VmRestore or a FileRestore: a thin shell around the life of a restore. */
export function restoreProvider(kind: RestoreKind): DynamicProvider {
  return atTheDoor({
    configure,
    check: checkRestore(kind),

    diff(_id, olds, news) {
      const intent = readIntent(olds["intent"]);
      const decision = diffRestore(olds, news);
      if (intent) {
        const record = recordIn(olds);
        // What another resource has recorded is not this one's to adopt.
        claims.claim(record.transactionIds, intent.id);
        kept.decided(intent.id, record, decision);
      }
      return decision;
    },

    async create(inputs) {
      endWithTheEngine();
      const { plan, intent, urn } = readPlan(kind, inputs, "create");
      const result = await tidily(async () => {
        const site = panelSite(urn);
        const permission = permit({ ...plan, ...(intent && { intent }) }, site.client.address);
        if ("refusal" in permission) throw new Error(permission.refusal);
        const intended = permission.plan;
        return outcomes.run(intended.intent.id, async () => {
          const stored = kept.of(intended.intent.id);
          if (stored !== undefined) return goOn(plan, stored, intended.intent.id, urn);
          const speak = voiceOf(urn);
          if (plan.adopt !== "auto" && plan.adopt !== "never") {
            return takeTransaction(site, plan, plan.adopt, intended.intent.id, speak);
          }
          const attempt = intended.intent.process === processId ? "first" : "later";
          const outcome = await runRestore(site, intended, attempt, speak);
          if (outcome.kind !== "not-posted" && outcome.record.adopted) {
            const again = replacements.adopted(intended.intent.id, outcome.record);
            if (again !== undefined) {
              return { kind: "not-posted", reason: nothingRestored(plan.name, again, intended.intent.urn) };
            }
          }
          return outcome;
        });
      });
      const stored = handOver(inputs, result);
      if (result.kind === "good" && intent && urn !== undefined) {
        beginStep(urn, stored.id, intent.id, plan, result.record);
      }
      return stored;
    },

    async update(id, olds, news) {
      endWithTheEngine();
      const { plan, intent, urn } = readPlan(kind, news, "update");
      const record = recordIn(olds);
      const result = await goOn(plan, record, intent?.id ?? id, urn);
      switch (result.kind) {
        case "good":
          return { outs: outputsOf(news, result.record) };
        case "stored":
          throw new StoredFailure(id, news, result.record, result.reasons);
        case "not-posted":
          throw new StoredFailure(id, news, record, [result.reason]);
      }
    },

    /** Refresh: a finished restore is what it is and needs no panel; of an unfinished one the status is read once. */
    async read(id, outputs) {
      endWithTheEngine();
      const record = recordIn(outputs);
      if (isFinished(record.status)) return { id, props: outputs };
      const { plan, intent, urn } = readPlan(kind, outputs, "update");
      const now = await tidily(() => lookAgain(panelSite(urn), plan, record, intent?.id ?? id).catch(tellAboutRefresh));
      return { id, props: outputsOf(outputs, now) };
    },

    /** Forgets; nothing is sent. */
    delete(_id, outputs) {
      // Only the intent is read: a state that was edited by hand must not stand in the way of a destroy.
      const intent = readIntent(outputs["intent"]);
      const again = intent && replacements.deleted(intent.id, recordIn(outputs));
      if (intent === undefined || again === undefined) return Promise.resolve();
      const name = nameInUrn(restoreUrnOf(intent.urn, kind));
      return Promise.reject(new Error(nothingRestored(name, again, intent.urn)));
    },
  });
}

/** What becomes of a restore that is in the state already. Posts nothing. */
async function goOn(
  plan: RestorePlan,
  record: RestoreRecord,
  owner: string,
  urn: string | undefined,
): Promise<RestoreResult> {
  // One of several that nothing told apart is another answer than all of them: to name it is the way out of not knowing.
  const isDecided = record.transactionIds.length === 1 || isFinished(record.status);
  const namesAnother =
    plan.adopt !== "auto" && plan.adopt !== "never" && !(isDecided && record.transactionIds.includes(plan.adopt))
      ? plan.adopt
      : undefined;
  if (record.status === "complete") return { kind: "good", record };
  if (namesAnother !== undefined) {
    return tidily(() => takeTransaction(panelSite(urn), plan, namesAnother, owner, voiceOf(urn)));
  }
  if (isFinished(record.status)) {
    if (record.logOutput !== undefined && plan.captureLog !== "never") await showAgain(record.logOutput, urn);
    return { kind: "stored", record, reasons: endedBadly(plan, record) };
  }
  const isKnown = record.status !== "unknown" || record.transactionIds.length > 0;
  if (!plan.wait && isKnown) return { kind: "good", record };
  return tidily(() => resumeRestore(panelSite(urn), plan, record, owner, voiceOf(urn)));
}

/** The engine hands a refresh what the last `up` has stored, and nobody would think of that at a refused password. */
function tellAboutRefresh(error: unknown): never {
  const text = messageOf(error);
  throw new Error(
    `${text} A refresh uses the configuration stored by the last \`pulumi up\`: after a changed password or endpoint run ` +
      "`pulumi up`, or `pulumi refresh --run-program`.",
  );
}

function handOver(inputs: Properties, result: RestoreResult): { id: string; outs: Properties } {
  switch (result.kind) {
    case "good":
      return { id: idOf(result.record), outs: outputsOf(inputs, result.record) };
    case "stored":
      throw StoredFailure.ofCreate(inputs, result.record, result.reasons);
    case "not-posted":
      throw new Error(result.reason);
  }
}

/**
 * The end of a stored log, shown once more. The panel's password may be among its lines, so where the settings do not tell what to
 * look for, nothing is shown. Needs no connection.
 */
async function showAgain(log: string, urn: string | undefined): Promise<void> {
  try {
    const tail = logTail(log, panelSite(urn).redact);
    if (tail.length > 0) voiceOf(urn).warn(logEnd(tail));
  } catch {
    return;
  }
  await voice.settled();
}

/** Inputs, or outputs, which repeat them, in their typed form, with the name and URN that the intent tells. */
function readPlan(
  kind: RestoreKind,
  properties: Properties,
  operation: Operation,
): { readonly plan: RestorePlan; readonly intent: Intent | undefined; readonly urn: string | undefined } {
  const { intent, ...parsed } = parseRestoreInputs(kind, properties, operation);
  const urn = intent && restoreUrnOf(intent.urn, kind);
  return { plan: { ...parsed, name: urn === undefined ? "(without an intent)" : nameInUrn(urn) }, intent, urn };
}

function voiceOf(urn: string | undefined): Voice {
  return {
    progress(text) {
      if (urn !== undefined) voice.progress(urn, text);
    },
    warn(text) {
      if (urn !== undefined) voice.warn(urn, text);
    },
  };
}

/** What was said is out before the engine may end this process. */
async function tidily<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await voice.settled();
  }
}
