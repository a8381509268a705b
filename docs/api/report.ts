/**
 * Keeps a record of what each entry point of the package declares, so that a change of it is seen in review. A test
 * compares; after an intended change, write the records anew:
 *
 *     npm run build && npx ts-node docs/api/report.ts
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { formatted } from "../../tools/formatted";

const root = join(__dirname, "..", "..");

/** Entry points by the name of their record. */
const entryPoints = {
  "pulumi-recovery": "dist/provider/index.d.ts",
  "pulumi-recovery-sandbox": "dist/sandbox/index.d.ts",
  "pulumi-recovery-report": "dist/report/index.d.ts",
} as const;

type EntryPoint = keyof typeof entryPoints;

export const entryPointNames = Object.keys(entryPoints) as readonly EntryPoint[];

/** Where the record of an entry point is kept. */
export function recordOf(entry: EntryPoint): string {
  return join(__dirname, `${entry}.api.md`);
}

/** What `dist/` declares now, in the form the records are kept in. */
export async function currentRecords(): Promise<Readonly<Record<EntryPoint, string>>> {
  const { extract } = await import("../../tools/setup/declarations.mjs");
  const folder = mkdtempSync(join(tmpdir(), "recovery-api-"));
  try {
    await extract(
      entryPointNames.map((entry) => ({
        file: join(root, entryPoints[entry]),
        output: {
          apiReport: {
            enabled: true,
            reportFolder: folder,
            reportTempFolder: folder,
            reportFileName: entry,
            // Types that are used and not exported are part of what a change can break.
            includeForgottenExports: true,
          },
        },
      })),
    );
    const records = entryPointNames.map(async (entry) => [
      entry,
      await formatted(readFileSync(join(folder, `${entry}.api.md`), "utf8"), recordOf(entry)),
    ]);
    return Object.fromEntries(await Promise.all(records)) as Record<EntryPoint, string>;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeAll(): Promise<void> {
  const records = await currentRecords();
  for (const entry of entryPointNames) writeFileSync(recordOf(entry), records[entry]);
}

if (require.main === module) void writeAll();
