import { timingSafeEqual } from "node:crypto";

/** Whether an `Authorization` header is HTTP Basic with exactly this user and password. */
export function areCredentials(authorization: string | undefined, username: string, password: string): boolean {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization ?? "")?.[1];
  const given = Buffer.from(encoded ?? "", "base64");
  const wanted = Buffer.from(`${username}:${password}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
