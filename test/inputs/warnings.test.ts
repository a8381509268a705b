import assert from "node:assert/strict";
import { settingsWarnings } from "../../provider/inputs/settings";

describe("settingsWarnings", () => {
  const quiet = [
    { endpoint: "https://panel.example", insecure: false },
    { endpoint: "https://panel.example", insecure: false, caFile: "/ca.pem" },
    { endpoint: "http://127.0.0.1:8080", insecure: false },
    { endpoint: "http://localhost", insecure: true },
    { endpoint: "http://panel.localhost", insecure: false },
    { endpoint: "http://127.0.0.2", insecure: false },
    { endpoint: "http://[::1]:80", insecure: false },
  ];
  for (const settings of quiet) {
    it(`says nothing about ${JSON.stringify(settings)}`, () => {
      assert.deepEqual(settingsWarnings(settings), []);
    });
  }
});
