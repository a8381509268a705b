import assert from "node:assert/strict";
import { inspect } from "node:util";
import { EndpointError } from "../../provider/panel/errors";
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
    it(`${given} is ${address}`, () => {
      assert.equal(clientOf({ endpoint: given }).address, address);
    });
  }

  const unusable = [
    "panel.example",
    "",
    "ftp://panel.example",
    "file:///etc/passwd",
    "https://",
    "https://panel.example/?a=1",
    "https://panel.example/#a",
    "https://operator:xyzzy@panel.example",
    "https://xyzzy@panel.example",
  ];
  for (const endpoint of unusable) {
    it(`${endpoint} is refused, and not shown`, () => {
      assert.throws(
        () => clientOf({ endpoint }),
        (error: unknown) => {
          assert.ok(error instanceof EndpointError);
          assert.doesNotMatch(inspect(error, { showHidden: true, depth: 20 }), /xyzzy/);
          return true;
        },
      );
    });
  }

  const warned: [endpoint: string, insecure: boolean, warning: RegExp | undefined][] = [
    ["http://panel.example", false, /plain http/],
    ["http://10.0.0.5", true, /plain http/],
    ["http://localhost.example", false, /plain http/],
    ["http://localhost:3000", false, undefined],
    ["http://panel.localhost", false, undefined],
    ["http://127.0.0.2", false, undefined],
    ["http://[::1]", false, undefined],
    ["https://panel.example", true, /certificate .* is not checked/],
    ["https://panel.example", false, undefined],
  ];
  for (const [endpoint, insecure, warning] of warned) {
    it(`${endpoint}${insecure ? ", unchecked," : ""} ${warning === undefined ? "warns of nothing" : "warns once"}`, () => {
      const warnings: string[] = [];
      clientOf({ endpoint, insecure, onWarning: (text) => warnings.push(text) });
      assert.equal(warnings.length, warning === undefined ? 0 : 1);
      if (warning !== undefined) assert.match(warnings.join(), warning);
    });
  }
});
