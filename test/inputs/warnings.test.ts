import assert from "node:assert/strict";
import { settingsWarnings } from "../../provider/inputs/settings";

describe("settingsWarnings", () => {
  const quiet = [
    { endpoint: "https://panel.example", insecure: false },
    { endpoint: "http://127.0.0.1:8080", insecure: false },
    { endpoint: "http://localhost", insecure: true },
    { endpoint: "http://panel.localhost", insecure: false },
    { endpoint: "http://[::1]:80", insecure: false },
  ];
  for (const settings of quiet) {
    it(`says nothing about ${JSON.stringify(settings)}`, () => {
      assert.deepEqual(settingsWarnings(settings), []);
    });
  }

  it("warns of a password in clear on the network", () => {
    const [warning, ...more] = settingsWarnings({ endpoint: "http://127.0.0.1.example", insecure: false });
    assert.match(warning ?? "", /^recovery:endpoint is http:\/\/127\.0\.0\.1\.example, which is plain http: /);
    assert.deepEqual(more, []);
  });

  it("warns of a certificate that is not verified, and of a caFile that has no effect", () => {
    const settings = { endpoint: "https://panel.example", insecure: true };
    const [warning] = settingsWarnings(settings);
    assert.match(
      warning ?? "",
      /^recovery:insecure is true: the certificate of https:\/\/panel\.example is not checked/,
    );
    assert.match(warning ?? "", /recovery:caFile instead/);
    assert.doesNotMatch(settingsWarnings(settings).join(), /no effect/);
    assert.match(settingsWarnings({ ...settings, caFile: "/ca.pem" }).join(), /caFile has no effect/);
  });
});
