import * as pulumi from "@pulumi/pulumi";

interface NoticeArgs {
  /** A webhook's address. If it is empty, nothing is posted. */
  to: string;
  text: string;
  /** A new value posts the text again. */
  run: string;
}

/** Posts a message to a webhook, such as a chat channel's. It stands in for whatever must happen between two waves. */
export class Notice extends pulumi.dynamic.Resource {
  constructor(name: string, args: Record<keyof NoticeArgs, pulumi.Input<string>>, opts: pulumi.CustomResourceOptions) {
    super({ create, diff }, name, args, opts);
  }
}

async function create(inputs: NoticeArgs): Promise<pulumi.dynamic.CreateResult> {
  if (inputs.to !== "") {
    const { ok, status } = await fetch(inputs.to, { method: "POST", body: JSON.stringify({ text: inputs.text }) });
    if (!ok) throw new Error(`the webhook answered ${String(status)}`);
  }
  return { id: inputs.run, outs: inputs };
}

function diff(_id: string, { run: before }: NoticeArgs, { run }: NoticeArgs): Promise<pulumi.dynamic.DiffResult> {
  return Promise.resolve({ changes: run !== before, replaces: run === before ? [] : ["run"] });
}
