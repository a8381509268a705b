import assert from "node:assert/strict";
import { startSandbox, type Sandbox } from "../../sandbox";
import { hasNoSidewaysScrolling, inPage, isAccessible, phone, useBrowser } from "./support/browser";

describe("the sandbox's page in a browser", function () {
  this.timeout(60_000);
  const browser = useBrowser();
  let sandbox: Sandbox;

  beforeEach(async () => (sandbox = await startSandbox({ control: true })));
  afterEach(() => sandbox.stop());
  const address = (): string => `${sandbox.controlUrl ?? ""}/`;

  it("shows a restore come, run and end, without being loaded again", async () => {
    const { page, wrong, loaded } = await browser.open(address());
    await page.getByText(/^Up to date at/).waitFor();
    await inPage(page, "void (window.sameAsBefore = true)");
    const before = await page.locator("#transactions tr:has(.status)").count();

    sandbox.failNext(42, { seconds: 3_600 });
    const id = sandbox.postRestoreAsSomebodyElse(42, 1007);
    const row = page.locator("#transactions tr", { has: page.getByRole("button", { name: `Log, transaction ${id}` }) });
    await row.locator(".status.running").waitFor();
    assert.equal(await page.locator("#transactions tr:has(.status)").count(), before + 1);
    assert.equal(await page.locator(".machine", { hasText: "42" }).first().locator(".locked").count(), 1);
    // Rows move while it runs, and the log that was opened stays open.
    await row.getByRole("button", { name: `Log, transaction ${id}` }).click();
    await row.getByRole("button", { name: `Complete, transaction ${id}` }).click();
    await row.locator(".status.complete").waitFor();
    assert.equal(
      await row.getByRole("button", { name: `Log, transaction ${id}` }).getAttribute("aria-expanded"),
      "true",
    );
    assert.equal(await row.getByRole("button", { name: `Complete, transaction ${id}` }).isVisible(), false);

    assert.equal(await inPage(page, "window.sameAsBefore"), true);
    assert.deepEqual(wrong, []);
    const elsewhere = loaded.filter((url) => !url.startsWith(address()) && !url.startsWith("data:"));
    assert.deepEqual(elsewhere, []);
  });

  it("says that what it shows is old when the sandbox is gone", async () => {
    const { page } = await browser.open(address());
    await page.getByText(/^Up to date at/).waitFor();
    await sandbox.stop();
    await page.getByText("The sandbox does not answer; what is shown is old").waitFor();
  });

  for (const colorScheme of ["light", "dark"] as const) {
    it(`can be read and used by everybody, ${colorScheme}`, async () => {
      const { page, wrong } = await browser.open(address(), { colorScheme });
      await page.getByText(/^Up to date at/).waitFor();
      await isAccessible(page);
      assert.deepEqual(wrong, []);
    });
  }

  it("is no wider than a phone", async () => {
    const { page } = await browser.open(address(), phone);
    await page.getByText(/^Up to date at/).waitFor();
    await hasNoSidewaysScrolling(page);
  });
});
