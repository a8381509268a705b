/** A wrong use of the sandbox: an option, a scenario's key, a port in use. One line that names what to change. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
}
