/** Records the declarations of each entry point, so that a review shows every change. To rewrite: `npm run build && npx ts-node test/api/write.ts`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "..", "..");

/** Entry points, keyed by the names of their records. */
const entryPoints = {
  "pulumi-recovery": "dist/provider/index.d.ts",
  "pulumi-recovery-testing": "dist/drills/testing.d.ts",
  "pulumi-recovery-sandbox": "dist/sandbox/index.d.ts",
  "pulumi-recovery-report": "dist/report/index.d.ts",
} as const;

type EntryPoint = keyof typeof entryPoints;

export const entryPointNames = Object.keys(entryPoints) as readonly EntryPoint[];

export function recordOf(entry: EntryPoint): string {
  return join(__dirname, `${entry}.api.md`);
}

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
            // A change to a type that is used but not exported can break a program too.
            includeForgottenExports: true,
          },
        },
      })),
    );
    const records = entryPointNames.map((entry) => [entry, readFileSync(join(folder, `${entry}.api.md`), "utf8")]);
    return Object.fromEntries(records) as Record<EntryPoint, string>;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeAll(): Promise<void> {
  const records = await currentRecords();
  for (const entry of entryPointNames) writeFileSync(recordOf(entry), records[entry]);
}

if (require.main === module) void writeAll();
