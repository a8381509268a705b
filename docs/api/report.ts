/**
 * Keeps a record of what each entry point of the package declares, so that a change of it is seen in review. A test
 * compares; after an intended change, write the records anew:
 *
 *     npm run build && npx ts-node docs/api/report.ts
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Extractor, ExtractorConfig, ExtractorLogLevel } from "@microsoft/api-extractor";
import { formatted } from "../../tools/formatted";

const root = join(__dirname, "..", "..");

/** Entry points by the name of their record. */
const entryPoints = {
  "pulumi-recovery": "dist/provider/index.d.ts",
  "pulumi-recovery-sandbox": "dist/sandbox/index.d.ts",
  "pulumi-recovery-report": "dist/report/index.d.ts",
} as const;

export type EntryPoint = keyof typeof entryPoints;

export const entryPointNames = Object.keys(entryPoints) as readonly EntryPoint[];

/** Where the record of an entry point is kept. */
export function recordOf(entry: EntryPoint): string {
  return join(__dirname, `${entry}.api.md`);
}

/** What `dist/` declares now, in the form the record is kept in. Throws when the declarations do not hold together. */
export async function declared(entry: EntryPoint): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "recovery-api-"));
  try {
    const complaints: string[] = [];
    const { succeeded } = Extractor.invoke(configOf(entry, folder), {
      localBuild: true,
      messageCallback: (message) => {
        if (message.logLevel === ExtractorLogLevel.Error) complaints.push(message.text);
        message.handled = true;
      },
    });
    if (!succeeded) throw new Error([`${entryPoints[entry]} cannot be recorded:`, ...complaints].join("\n"));
    const file = recordOf(entry);
    const text = readFileSync(join(folder, `${entry}.api.md`), "utf8");
    return await formatted(text, file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function configOf(entry: EntryPoint, folder: string): ExtractorConfig {
  const declarations = join(root, entryPoints[entry]);
  const silent = { logLevel: ExtractorLogLevel.None };
  const failing = { logLevel: ExtractorLogLevel.Error };
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, "package.json"),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: declarations,
      newlineKind: "lf",
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: "ES2022",
            lib: ["ES2023"],
            module: "Node16",
            moduleResolution: "Node16",
            types: ["node"],
            strict: true,
            skipLibCheck: true,
          },
          files: [declarations],
        },
      },
      apiReport: {
        enabled: true,
        reportFolder: folder,
        reportTempFolder: folder,
        reportFileName: entry,
        // Types that are used and not exported are part of what a change can break.
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: failing },
        extractorMessageReporting: {
          default: failing,
          "ae-missing-release-tag": silent,
          "ae-undocumented": silent,
          "ae-forgotten-export": silent,
        },
        tsdocMessageReporting: { default: silent },
      },
    },
  });
}

async function writeAll(): Promise<void> {
  for (const entry of entryPointNames) writeFileSync(recordOf(entry), await declared(entry));
}

if (require.main === module) void writeAll();
