import assert from "node:assert/strict";
import { FileRestore, VmRestore } from "../../../provider";
import { runProgram } from "../../program/support/program-run";
import { plain } from "../../support/engine";
import { calm, registrations, type Declared, type Properties } from "../../support/program";

const declared: readonly Declared[] = [
  { ...calm, generation: 3 },
  { ...calm, machine: "43", retryFailed: false, timeouts: { listed: 60 } },
  { ...calm, kind: "FileRestore", point: "k3x1002", paths: ["/etc/hosts"], adopt: "5015" },
  { ...calm, wait: false },
];

/** What the state contains for a resource besides its inputs. It is the same for both programs. */
function storedOf(type: string, name: string): Properties {
  return type.endsWith("Intent")
    ? { mark: { panel: "panel", ended: [] } }
    : { status: "running", transactionIds: [`of-${name}`] };
}

it("a program in the exploration registers the same types, names, inputs and dependencies as a real program", async () => {
  const real = await runProgram(construct, "up", storedOf);
  const ours = registrations(declared);
  const nameOf = (place: number): string => ours[place]?.urn.split("::").at(-1) ?? "";
  const outputs: Properties[] = [];
  for (const [place, one] of ours.entries()) {
    const [, , type = ""] = one.urn.split("::");
    const name = nameOf(place);
    const theirs = real.registrations.find((registration) => registration.name === name);
    assert.equal(theirs?.type, type, name);
    const inputs = plain(one.inputs((before) => outputs[before] ?? {}));
    assert.deepEqual(inputs, inStack(plain(theirs.inputs)), name);
    for (const before of one.dependsOn)
      assert.ok(theirs.dependencies.includes(nameOf(before)), `${name} depends on ${nameOf(before)}`);
    outputs.push({ ...inputs, ...storedOf(type, name), id: `id-of-${name}`, urn: theirs.urn });
  }
  const names = real.registrations.filter(({ type }) => type.includes("recovery:")).map(({ name }) => name);
  assert.deepEqual(names.sort(), ours.map((_one, place) => nameOf(place)).sort());
});

function construct(): void {
  for (const [index, restore] of declared.entries()) {
    const { kind, machine, point, paths = [], generation, timeouts, wait, adopt, retryFailed } = restore;
    const args = {
      virtualMachineId: Number(machine),
      recoveryPointId: Number(point) || point,
      triggers: [`generation ${String(generation)}`],
      ...(Object.keys(timeouts).length > 0 && { timeouts }),
      ...(!wait && { wait }),
      ...(adopt !== undefined && { adopt }),
      ...(!retryFailed && { retryFailed }),
    };
    if (kind === "VmRestore") new VmRestore(`r${String(index)}`, args);
    else new FileRestore(`r${String(index)}`, { ...args, paths: [...paths] });
  }
}

/** Moves `__row`, the URN of the resource whose terminal line shows an intent's wait, to the exploration's stack. */
function inStack({ __row: row, ...inputs }: Properties): Properties {
  const [, ...type] = typeof row === "string" ? row.split("::project::") : [];
  return { ...inputs, ...(type.length > 0 && { __row: `urn:pulumi:dev::drill::${type.join("")}` }) };
}
