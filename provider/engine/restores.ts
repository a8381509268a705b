import { checkRestore } from "../inputs/check-restore";
import type { Intent, RestoreKind, RestorePlan } from "../inputs/intent";
import { isFinished, unlistedSince } from "../inputs/record";
import { nameInUrn, type ResourceTypes, restoreUrnOf } from "../inputs/resource-names";
import { parseRestoreInputs, readIntent } from "../inputs/restore-inputs";
import type { Operation } from "../inputs/rules";
import { messageOf } from "../plain/text";
import type { RestoreResult } from "../restore/result";
import { lookAgain, takeTransaction } from "../restore/resume";
import { permit, runRestore } from "../restore/run";
import { tellsPlace } from "../rows/mark";
import { diffRestore } from "./diff-restore";
import { atTheDoor, type Operations } from "./door";
import { onRow, tidily } from "./engine-log";
import { goOn, goOnKept } from "./go-on";
import { type Memory, nothingRestored } from "./memory";
import { idOf, outputsOf, type Properties, recordIn, StoredFailure } from "./outputs";
import type { PlanSteps } from "./plan-step";
import type { ProviderProcess } from "./process";

/** The engine's side of a VmRestore or a FileRestore: a thin shell around the life of a restore. */
export function restoreOperations(
  kind: RestoreKind,
  here: ProviderProcess,
  { outcomes, replacements, kept, failedTries, unlisted }: Memory,
  steps: PlanSteps,
): Operations {
  return atTheDoor({
    check: checkRestore(kind),

    /**
     * Decides, and remembers for the calls that follow what they are not told: whose the recorded transactions are, because
     * another restore of this process may be looking for its own; where the list stood when a try had failed, because the next one looks for
     * nothing older; and what was decided, because the engine may delete an unfinished restore first and then ask for it as if there had
     * been none.
     */
    diff(_id, olds, news) {
      const intent = readIntent(olds["intent"]);
      const decision = diffRestore(olds, news);
      if (intent) {
        const record = recordIn(olds);
        // What another resource has recorded is not this one's to adopt.
        here.claims.claim(record.transactionIds, intent.id);
        const postedAt = unlistedSince(record);
        if (postedAt !== undefined) {
          here.claims.noteUnlisted(intent.id, { machine: intent.madeFor.virtualMachineId, at: postedAt });
        }
        const mark = postedAt === undefined ? undefined : record.postedAfter;
        if (mark && tellsPlace(mark)) unlisted.set(intent.id, { machine: intent.madeFor.virtualMachineId, mark });
        else unlisted.delete(intent.id);
        kept.decided(intent.id, record, decision);
        failedTries.stored(intent.id, record);
      }
      return decision;
    },

    /**
     * The only way to a POST. In this order it is kept from being sent
     *
     * 1. by what is kept: a restore that was stored unfinished, and that the engine has deleted to make it anew, is gone on with;
     * 2. by `permit`: without an intent, or with one that was made for something else or for another panel, nothing is sent;
     * 3. by the outcome: one intent is carried out once in a process, and who asks again gets the same result;
     * 4. by `adopt` with an id: that transaction is taken;
     * 5. by `runRestore`: the machine's lane and a place, in a later run a look back for what an earlier one has posted, the wait until the
     *    machine is free, and a last look at the newest page;
     * 6. at last by the engine itself: it is asked right before the POST whether the run is still there.
     */
    async create(inputs) {
      const { plan, intent, urn } = readAsked(kind, inputs, "create", here.types);
      const result = await tidily(here.voice, async () => {
        // First of all: the engine may have deleted what was stored already, so whatever goes wrong from here on, it is stored again.
        const stored = intent && kept.of(intent.id);
        if (intent && stored) {
          return outcomes.run(intent.id, () => goOnKept(here, { plan, record: stored, owner: intent.id, urn }));
        }
        const site = here.site(urn);
        const permission = permit(
          { ...plan, ...(intent && { intent: failedTries.next(intent) }) },
          site.client.address,
        );
        if ("refusal" in permission) throw new Error(permission.refusal);
        const intended = permission.plan;
        return outcomes.run(intended.intent.id, async () => {
          const speak = onRow(here.voice, urn);
          if (plan.adopt !== "auto" && plan.adopt !== "never") {
            return takeTransaction(site, plan, plan.adopt, intended.intent.id, speak);
          }
          const attempt = intended.intent.process === here.id ? "first" : "later";
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
        steps.begin(urn, stored.id, intent.id, plan, result.record);
      }
      return stored;
    },

    async update(id, olds, news) {
      const { plan, intent, urn } = readAsked(kind, news, "update", here.types);
      const record = recordIn(olds);
      const result = await goOn(here, { plan, record, owner: intent?.id ?? id, urn, others: [...unlisted.values()] });
      switch (result.kind) {
        case "good":
          return { outs: outputsOf(news, result.record) };
        case "stored":
          // The wave of a plan's restore tells it, and decides what it means for the others; an error here would stop all of them.
          if (isFinished(result.record.status) && urn !== undefined && steps.areToTellOf(urn)) {
            return { outs: outputsOf(news, result.record) };
          }
          throw new StoredFailure(id, news, result.record, result.reasons);
        case "not-posted":
          throw new StoredFailure(id, news, record, [result.reason]);
      }
    },

    /** Refresh: a finished restore is what it is and needs no panel; of an unfinished one the status is read once. */
    async read(id, outputs) {
      const record = recordIn(outputs);
      if (isFinished(record.status)) return { id, props: outputs };
      const { plan, intent, urn } = readAsked(kind, outputs, "update", here.types);
      const now = await tidily(here.voice, () =>
        lookAgain(here.site(urn), plan, record, intent?.id ?? id).catch(tellAboutRefresh),
      );
      return { id, props: outputsOf(outputs, now) };
    },

    /** Forgets; nothing is sent. */
    delete(_id, outputs) {
      // Only the intent is read: a state that was edited by hand must not stand in the way of a destroy.
      const intent = readIntent(outputs["intent"]);
      const again = intent && replacements.deleted(intent.id, recordIn(outputs));
      if (intent === undefined || again === undefined) return Promise.resolve();
      const name = nameInUrn(restoreUrnOf(intent.urn, kind, here.types));
      return Promise.reject(new Error(nothingRestored(name, again, intent.urn)));
    },
  });
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

/** Inputs, or outputs, which repeat them, in their typed form, with the name and URN that the intent tells. */
function readAsked(
  kind: RestoreKind,
  properties: Properties,
  operation: Operation,
  types: ResourceTypes,
): { readonly plan: RestorePlan; readonly intent: Intent | undefined; readonly urn: string | undefined } {
  const { intent, ...parsed } = parseRestoreInputs(kind, properties, operation);
  const urn = intent && restoreUrnOf(intent.urn, kind, types);
  return { plan: { ...parsed, name: urn === undefined ? "(without an intent)" : nameInUrn(urn) }, intent, urn };
}
