import assert from "node:assert/strict";
import { calm } from "../../support/program";
import type { PanelAnswer } from "../panel";
import { OnStage } from "../stage";
import { bare, wrapped } from "../trap";

const answers: Readonly<Record<string, PanelAnswer>> = {
  "status 500": { status: 500, body: "boom" },
  "a redirect": { status: 302, headers: { location: "/login" }, body: "" },
};

describe("a POST with a meaningless answer, where rows have only an id and a status,", () => {
  for (const [what, answer] of Object.entries(answers))
    for (const isCarriedOut of [true, false])
      it(`fails with a readable error and a warning that shows the answer: ${what}, ${isCarriedOut ? "" : "not "}carried out`, async () => {
        const make = wrapped({ row: bare }, async ({ method }, usual) => {
          if (method !== "POST") return usual();
          if (isCarriedOut) await usual();
          return answer;
        });
        const stage = new OnStage(make, "json", { declared: [{ ...calm, point: "1007" }] });
        const { errors, warnings } = await stage.up();
        assert.match(errors.get(0) ?? "", /was sent, and the panel has not listed it: .*and the answer was lost/);
        assert.match(warnings.join(), new RegExp(`answer to the restore was lost .*status ${String(answer.status)}`));
        assert.deepEqual(stage.statuses(), ["sent"]);
      });
});
