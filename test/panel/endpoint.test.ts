import assert from "node:assert/strict";
import { inspect } from "node:util";
import { adviceWhereSet, PanelError } from "../../provider/panel/errors";
import { clientOf } from "./support/clients";

describe("The endpoint", () => {
  const usable: [given: string, address: string][] = [
    ["https://panel.example", "https://panel.example"],
    ["https://panel.example/", "https://panel.example"],
    ["https://panel.example:8443/cloud//", "https://panel.example:8443/cloud"],
    ["HTTPS://Panel.Example:443/a", "https://panel.example/a"],
    ["http://[::1]:3000", "http://[::1]:3000"],
  ];
  for (const [given, address] of usable) {
    it(`is ${address} when written as ${given}`, () => {
      assert.equal(clientOf({ endpoint: given }).address, address);
    });
  }

  it("is refused, and not shown, when it contains a user name or is no web address", () => {
    for (const endpoint of ["https://operator:xyzzy@panel.example", "https://xyzzy@panel.example", "file:///xyzzy"])
      assert.throws(
        () => clientOf({ endpoint }),
        (error: unknown) => {
          assert.ok(error instanceof PanelError && error.kind === "endpoint");
          assert.doesNotMatch(inspect(error, { showHidden: true, depth: 20 }), /xyzzy/);
          return true;
        },
      );
  });
});

it("advice for a setting of an explicit provider names the provider", () => {
  const set = { completeStatuses: { provider: "the provider dr-site" } } as const;
  const advice = adviceWhereSet(`\`pulumi config set recovery:completeStatuses '["fine"]'\``, set);
  assert.equal(advice, '`completeStatuses: ["fine"]` of the provider dr-site');
});
