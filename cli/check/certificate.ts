import { isIP } from "node:net";
import { connect, type PeerCertificate } from "node:tls";
import { firstFew } from "../../provider/plain/text";

/** The panel's certificate, as a handshake shows it before any request is sent. */
export interface Certificate {
  readonly issuedBy: string;
  readonly issuedTo: string;
  readonly validTo?: Date;
  /** Node's code for why it is not trusted. */
  readonly problem?: string;
}

/** Shakes hands and hangs up. Undefined when the handshake fails: the first request explains that better. */
export function readCertificate(
  address: string,
  { ca, limitMs }: { readonly ca?: string; readonly limitMs: number },
): Promise<Certificate | undefined> {
  const { protocol, hostname, port } = new URL(address);
  if (protocol !== "https:") return Promise.resolve(undefined);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connect({
      host,
      port: port === "" ? 443 : Number(port),
      // Nothing is sent over this connection, so an untrusted certificate can be looked at as well.
      rejectUnauthorized: false,
      ...(isIP(host) === 0 && { servername: host }),
      ...(ca !== undefined && { ca }),
    });
    const end = (certificate?: Certificate): void => {
      socket.destroy();
      resolve(certificate);
    };
    socket.setTimeout(limitMs, end);
    socket.once("error", () => {
      end();
    });
    socket.once("secureConnect", () => {
      // Node declares an Error here and sets its code.
      const problem: unknown = socket.authorizationError;
      end(certificateFrom(socket.getPeerCertificate(), socket.authorized ? undefined : problemCode(problem)));
    });
  });
}

function problemCode(problem: unknown): string {
  if (problem instanceof Error)
    return "code" in problem && typeof problem.code === "string" ? problem.code : problem.message;
  return typeof problem === "string" ? problem : "not trusted";
}

function certificateFrom(shown: PeerCertificate, problem: string | undefined): Certificate {
  const validTo = new Date(shown.valid_to);
  return {
    issuedBy: nameIn(shown.issuer),
    issuedTo: alternativeNames(shown.subjectaltname) ?? nameIn(shown.subject),
    ...(!Number.isNaN(validTo.getTime()) && { validTo }),
    ...(problem !== undefined && { problem }),
  };
}

/** If a certificate has alternative names, only they count, not the name in its subject. */
function alternativeNames(text: string | undefined): string | undefined {
  const names = (text ?? "").split(", ").flatMap((name) => /^(?:DNS|IP Address):(.+)$/.exec(name)?.[1] ?? []);
  return names.length === 0 ? undefined : firstFew(names);
}

function nameIn(names: PeerCertificate["issuer"] | undefined): string {
  const name: unknown = names?.CN ?? names?.O;
  return typeof name === "string" ? name : Array.isArray(name) ? name.join(", ") : "somebody without a name";
}
