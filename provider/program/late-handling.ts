/*
 * A function may fail long before the SDK gets to the Output or the promise that its error is in: it looks at a program's
 * exports one after the other. Node.js tells the SDK of the rejection, the SDK prints the error, and when the export's turn
 * comes Node.js warns that it was "handled asynchronously", which is one line more that tells nobody anything.
 */

const ours = new WeakSet();
let listens = false;

/** No such warning for this error. All others are warned of as ever. */
export function mayBeHandledLate(error: Error): void {
  ours.add(error);
  if (listens) return;
  listens = true;
  process.on("rejectionHandled", (promise) => {
    promise.catch((reason: unknown) => {
      if (typeof reason === "object" && reason !== null && ours.has(reason)) return;
      // With a listener, Node.js leaves the warning to it.
      if (process.listenerCount("rejectionHandled") > 1) return;
      process.emitWarning("Promise rejection was handled asynchronously", "PromiseRejectionHandledWarning");
    });
  });
}
