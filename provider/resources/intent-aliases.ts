import * as pulumi from "@pulumi/pulumi";
import { intentName, intentUrnOf, type ResourceTypes } from "../names/resource-names";
import type { RestoreKind } from "../restore/terms/intent";
import { isOpen } from "./shown";

type AliasInput = pulumi.Input<pulumi.URN | pulumi.Alias>;

/**
 * The aliases of a restore, said of its intent: where the restore was called `old`, the intent was called after `old`.
 * Without them a renamed restore would come with a new intent, which looks like a restore that was asked for anew.
 */
export function intentAliases(aliases: readonly AliasInput[], kind: RestoreKind, types: ResourceTypes): AliasInput[] {
  return aliases.map((alias) =>
    isOpen(alias)
      ? pulumi.output(alias).apply((known) => intentAlias(known as pulumi.URN | pulumi.Alias, kind, types))
      : intentAlias(alias, kind, types),
  );
}

function intentAlias(
  alias: pulumi.URN | pulumi.Alias,
  kind: RestoreKind,
  types: ResourceTypes,
): pulumi.URN | pulumi.Alias {
  if (typeof alias === "string") return intentUrnOf(alias, kind, types);
  // An intent has had one type only; a restore's other type would name an intent that never was.
  const translated = { ...alias };
  delete translated.type;
  if (translated.name !== undefined) translated.name = suffixed(translated.name, kind);
  return translated;
}

/** A plain name stays plain: the engine's older structured aliases are compared as they are. */
function suffixed(name: pulumi.Input<string>, kind: RestoreKind): pulumi.Input<string> {
  return typeof name === "string"
    ? intentName(name, kind)
    : pulumi.output(name).apply((known) => intentName(known, kind));
}
