/**
 * The property `__provider` of a dynamic resource is the code that the provider process runs for it. Left to the SDK,
 * it would be this package's code, copied out of memory into every resource's state: refresh and destroy
 * would run the old copy for ever after, and newer TypeScript compilers and other runtimes cannot make the copy at
 * all. Written by hand it is one line that says where the code is, so the state holds none.
 *
 * The line is part of every stack's state and may never change: a different text is an update of every resource, and
 * an older text must still find its code. `pulumi-recovery/dynamic` is therefore a promise of this package, kept across
 * major versions. It is found from the folder of `Pulumi.yaml` upwards, so a program depends on this package directly.
 */
export function providerText(handler: Handler): string {
  return `exports.handler = () => require("pulumi-recovery/dynamic").${handler};`;
}

type Handler = "vmRestore" | "fileRestore" | "restoreIntent" | "planRun" | "planWave" | "planVerdict";
