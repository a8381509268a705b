import { createServer } from "node:http";
import { listening } from "../../support/listening";

let started: Promise<void> | undefined;

/**
 * The key service for this process's stacks, as a value for `--secrets-provider`. It answers the two requests that the CLI
 * sends to a Vault. With a passphrase, each CLI process would derive the key again, which takes longer than everything else in a test.
 */
export async function keyService(): Promise<string> {
  started ??= start();
  await started;
  return "hashivault://tests";
}

async function start(): Promise<void> {
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const { plaintext, ciphertext = "" } = JSON.parse(body) as { plaintext?: string; ciphertext?: string };
      const data = plaintext === undefined ? { plaintext: ciphertext } : { ciphertext: plaintext };
      response.setHeader("content-type", "application/json").end(JSON.stringify({ data }));
    });
  });
  process.env.VAULT_SERVER_URL = `http://127.0.0.1:${await listening(server)}`;
  process.env.VAULT_SERVER_TOKEN = "of the tests";
  server.unref();
}
