import assert from "node:assert/strict";
import { pointsIn, type Whose, whoseRow } from "../../provider/rows/whose";
import { listed } from "./listed";

/** Every form in which a row can name its machine. */
const forms: Readonly<Record<string, (id: number | string) => object>> = {
  "an associated_object type and id": (id) => ({ associated_object_type: "VirtualMachine", associated_object_id: id }),
  "a parent type and id": (id) => ({ parent_type: "VirtualMachine", parent_id: id }),
  "a resource type and id": (id) => ({ resourceType: "virtual_machine", resourceId: id }),
  "an object with a type and an id": (id) => ({ target: { type: "VirtualMachine", id } }),
  "an object with a kind and an id": (id) => ({ target: { kind: "virtualMachine", id } }),
  virtual_machine_id: (id) => ({ virtual_machine_id: id }),
  "virtual-machine-id": (id) => ({ "virtual-machine-id": id }),
  VirtualMachineId: (id) => ({ VirtualMachineId: id }),
  "virtual_machine as a value": (id) => ({ virtual_machine: id }),
  "virtual_machine as an object": (id) => ({ virtual_machine: { id, label: "web" } }),
  "virtual_machine as a path": (id) => ({ virtual_machine: `/virtual_machines/${String(id)}` }),
  virtual_server_id: (id) => ({ virtual_server_id: id }),
  virtual_server: (id) => ({ virtual_server: { id } }),
  vm: (id) => ({ vm: String(id) }),
  vm_id: (id) => ({ vm_id: id }),
  vmId: (id) => ({ vmId: id }),
  "a param": (id) => ({ params: { vm_id: id } }),
  "a relationship": (id) => ({ relationships: { owner: { data: { type: "virtual-machine", id } } } }),
};

/** Fields that may name something else, such as a hypervisor or the row itself. */
const perhaps: Readonly<Record<string, (id: number | string) => object>> = {
  identifier: (id) => ({ identifier: String(id) }),
  machine: (id) => ({ machine: id }),
  server: (id) => ({ server: id }),
  server_id: (id) => ({ server_id: id }),
  instance_id: (id) => ({ instance_id: id }),
};

const whose = async (fields: object, machine = "42"): Promise<Whose | undefined> => {
  const [row] = await listed({ id: 5001, status: "running", ...fields });
  return row && whoseRow(row, machine);
};

describe("a row's machine", () => {
  for (const [name, form] of Object.entries(forms))
    it(`is read from ${name}`, async () => {
      assert.deepEqual(
        [await whose(form(42)), await whose(form(43)), await whose(form("web-42"))],
        ["this machine", "another machine", "not said"],
      );
      assert.equal(await whose(form("web-42"), "web-42"), "this machine");
    });

  for (const [name, form] of Object.entries(perhaps))
    it(`may be confirmed, but is never ruled out, by ${name}`, async () => {
      assert.deepEqual([await whose(form(42)), await whose(form(43))], ["this machine", "not said"]);
      assert.equal(await whose({ ...form(42), virtual_machine_id: 43 }), "another machine");
    });

  const table: Readonly<Record<string, readonly [fields: object, whose: Whose]>> = {
    "is unknown if its id is 0": [{ virtual_machine_id: 0 }, "not said"],
    "is unknown if the row has only an id and a status": [{}, "not said"],
    "is read from virtual_machine_id, not server_id": [{ virtual_machine_id: 43, server_id: 42 }, "another machine"],
    "is not ruled out by another server_id": [{ virtual_machine_id: 42, server_id: 7 }, "this machine"],
    "is not read from a parent of another type": [{ parent_type: "Disk", parent_id: 42 }, "not said"],
    "is not read from a parent without a type, because such a parent is a transaction": [{ parent_id: 42 }, "not said"],
    "is read from machine_id if identifier differs": [{ identifier: "9131", machine_id: 42 }, "this machine"],
    "is read from the identifier of a row whose parent is a machine": [
      { identifier: "42", parent_type: "VirtualMachine", parent_id: "web-1" },
      "this machine",
    ],
    "is not read from another parent's row": [{ identifier: "42", parent_type: "Disk", parent_id: 7 }, "not said"],
    "is not read from the row's own identifier": [{ identifier: "x9f-42" }, "not said"],
    "is not read from the action": [{ action: "restore 42" }, "not said"],
  };
  for (const [what, [fields, expected]] of Object.entries(table))
    it(what, async () => {
      assert.equal(await whose(fields), expected);
    });
});

describe("a row", () => {
  const point: readonly object[] = [
    { recovery_point_id: 1007 },
    { recoveryPoint: { id: 1007 } },
    { params: { recovery_point_id: "1007" } },
    { target_type: "RecoveryPoint", target_id: 1007 },
    { href: "/virtual_machines/42/backups/recovery_points/1007" },
  ];
  for (const fields of point)
    it(`names a recovery point if it contains ${JSON.stringify(fields)}`, async () => {
      const [row] = await listed({ id: 1, status: "running", ...fields });
      assert.deepEqual(row && [pointsIn(row, "1001"), pointsIn(row, "rp-a")], [["1007"], []]);
    });

  it("names the paths of its restore", async () => {
    const [row] = await listed({ id: 1, status: "running", params: { paths: ["/etc/hosts"] } });
    assert.deepEqual(row?.paths, ["/etc/hosts"]);
    const [entries, others] = await listed(
      { id: 3, status: "running", paths: [{ path: "/etc/hosts", size: 1 }] },
      { id: 2, status: "running", paths: ["/etc", "disk-1:/etc"] },
    );
    assert.deepEqual([entries?.paths, others?.paths], [["/etc/hosts"], undefined]);
  });
});
