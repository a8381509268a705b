import assert from "node:assert/strict";
import { connectionFindings } from "../../../cli/check/connection";
import { busy, checkCases, panelOf } from "../support/check-cases";
import { runCheck } from "../support/run-check";

const formats = ["json", "xml"] as const;

describe("What a check finds", () => {
  const inXml = checkCases("xml");
  for (const [at, inJson] of checkCases("json").entries()) {
    it(`is the same in both formats: ${inJson.name}`, async () => {
      const [json, xml] = await Promise.all(
        [inJson, inXml[at]!].map(async ({ code, ...setup }, index) => {
          const { finding } = await runCheck({ ...setup, settings: { format: formats[index]!, ...setup.settings } });
          return JSON.stringify(finding(code), undefined, 1).replaceAll("xml", "json").replaceAll("XML", "JSON");
        }),
      );
      assert.equal(xml, json);
    });
  }

  for (const format of formats) {
    describe(`in ${format}`, () => {
      for (const [dialect, verdict] of [
        ["plain", "fine"],
        ["modern", "fine"],
        ["awkward", "question"],
      ] as const) {
        it(`takes the ${dialect} panel as ${verdict}`, async () => {
          const { checked, paths } = await runCheck({
            panel: panelOf(dialect),
            before: busy,
            machine: "42",
            settings: { format },
          });
          assert.equal(checked.verdict, verdict, JSON.stringify(checked.findings, undefined, 1));
          assert.ok(paths.length < 40);
        });
      }

      for (const combinedPaging of ["both", "ignorePage", "ignorePerPage", "notFound"] as const) {
        it(`reads a panel of 100,000 rows with 10 per page in under 60 requests (${combinedPaging})`, async () => {
          const { paths, checked } = await runCheck({
            panel: { scenario: { background: { perSecond: 100 } }, dialect: { combinedPaging, pageCap: 10 } },
            before: (_panel, clock) => clock.advance(1_000_000),
            rows: 10_000,
            machine: "42",
            settings: { format },
          });
          assert.ok(paths.length < 60, String(paths.length));
          assert.ok(checked.rows > 200, String(checked.rows));
          assert.ok(
            paths.some((path) => path.includes("/logs")),
            "the machine has its turn",
          );
        });
      }
    });
  }

  it("asks nothing about a machine that is not allowed", async () => {
    const setup = { panel: panelOf("plain"), machine: "42" };
    const { paths, checked } = await runCheck({ ...setup, settings: { allowedMachines: "41" } });
    assert.deepEqual(
      [checked.machine, checked.verdict, paths.filter((path) => path.includes("/42"))],
      ["42", "fault", []],
    );
    const allowed = await runCheck({ ...setup, settings: { allowedMachines: "42" } });
    assert.equal(allowed.paths.filter((path) => path.includes("/42")).length > 0, true);
  });

  it("asks nothing further of a panel that does not answer", async () => {
    const { checked } = await runCheck({ panel: { faults: { get: { unauthorized: true } } }, machine: "42" });
    assert.deepEqual(
      checked.findings.map(({ code }) => code),
      ["connection.address", "connection.credentials"],
    );
    assert.equal(checked.requests, 1);
  });

  it("tells a certificate by who signed it and until when", async () => {
    const { survey } = await runCheck({});
    const day = 86_400_000;
    const of = (days: number, problem?: string, insecure = false, caFile?: string) =>
      connectionFindings({
        ...survey,
        settings: { ...survey.settings, insecure, ...(caFile !== undefined && { caFile }) },
        certificate: {
          issuedBy: "Our CA",
          issuedTo: "panel.example",
          validTo: new Date(survey.wallMs + days * day + 1),
          ...(problem !== undefined && { problem }),
        },
      }).find(({ code }) => code === "connection.certificate");
    assert.match(of(90)?.says ?? "", /^Certificate of panel\.example, signed by Our CA, valid until 2027-02-19\.$/);
    assert.equal(of(90)?.verdict, "fine");
    assert.match(of(12)?.why ?? "", /expires in 12 days/);
    assert.equal(of(12)?.verdict, "question");
    assert.equal(of(90, "SELF_SIGNED_CERT_IN_CHAIN")?.verdict, "fault");
    assert.deepEqual(of(90, "SELF_SIGNED_CERT_IN_CHAIN")?.set, ["pulumi config set recovery:caFile ./panel-ca.pem"]);
    assert.equal(of(90, "SELF_SIGNED_CERT_IN_CHAIN", true)?.verdict, "question");
    assert.match(of(-3, "CERT_HAS_EXPIRED")?.then ?? "", /Renew/);
    const named = of(90, "ERR_TLS_CERT_ALTNAME_INVALID");
    assert.deepEqual(
      [named?.then, named?.set],
      ["Use an address with a name that the certificate is issued to.", undefined],
    );
    const withFile = of(90, "SELF_SIGNED_CERT_IN_CHAIN", false, "/etc/ca.pem");
    assert.match(withFile?.then ?? "", /^\/etc\/ca\.pem does not hold the authority/);
    assert.equal(withFile?.set, undefined, "it is set");
  });
});
