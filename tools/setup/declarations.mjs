import { join } from "node:path";
import { root } from "./places.mjs";

/** The package's entry points for TypeScript. Each is shipped as one file with all the types it needs. The compiler's other declarations are not shipped. */
const entries = /** @type {const} */ ([
  "provider/index",
  "drills/testing",
  "provider/engine/dynamic",
  "provider/plugin/index",
  "sandbox/index",
  "report/index",
]);

/**
 * Reads declarations with API Extractor. Throws if they are inconsistent.
 *
 * @param {readonly { file: string, output: Partial<import("@microsoft/api-extractor").IConfigFile> }[]} wanted the files,
 *   and what to generate from each
 */
export async function extract(wanted) {
  // Loaded only when needed, because loading takes most of a second.
  const { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } = await import("@microsoft/api-extractor");
  const files = wanted.map(({ file }) => file);
  const configs = wanted.map(({ file, output }) =>
    ExtractorConfig.prepare({
      configObjectFullPath: undefined,
      packageJsonFullPath: join(root, "package.json"),
      configObject: { ...settings(file, files, ExtractorLogLevel), ...output },
    }),
  );
  const [first] = configs;
  if (first === undefined) return;
  // Parsed and bound once for all entries.
  const compilerState = CompilerState.create(first, { additionalEntryPoints: files });
  for (const config of configs) {
    /** @type {string[]} */
    const complaints = [];
    const { succeeded } = Extractor.invoke(config, {
      compilerState,
      localBuild: true,
      messageCallback: (message) => {
        if (message.logLevel === ExtractorLogLevel.Error) complaints.push(message.text);
        message.handled = true;
      },
    });
    if (!succeeded)
      throw new Error([`${config.mainEntryPointFilePath} has errors in its declarations:`, ...complaints].join("\n"));
  }
}

/** Writes the declarations of each entry point into one file. `from` is the folder with the compiler's declarations. */
export async function rollUp(/** @type {string} */ from, /** @type {string} */ to) {
  await extract(
    entries.map((entry) => ({
      file: join(from, `${entry}.d.ts`),
      output: { dtsRollup: { enabled: true, untrimmedFilePath: join(to, `${entry}.d.ts`) } },
    })),
  );
}

/** @typedef {typeof import("@microsoft/api-extractor").ExtractorLogLevel} Levels */

/** @returns {import("@microsoft/api-extractor").IConfigFile} */
function settings(/** @type {string} */ file, /** @type {string[]} */ files, /** @type {Levels} */ level) {
  const [silent, failing] = [{ logLevel: level.None }, { logLevel: level.Error }];
  return {
    projectFolder: root,
    mainEntryPointFilePath: file,
    newlineKind: "lf",
    compiler: {
      overrideTsconfig: {
        compilerOptions: {
          target: "ES2022",
          lib: ["ES2023"],
          module: "Node16",
          types: ["node"],
          strict: true,
          skipLibCheck: true,
        },
        files,
      },
    },
    apiReport: { enabled: false },
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
  };
}
