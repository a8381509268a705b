import type { FaultKind } from "../faults/faults";
import type { RequestRecord } from "./records";

type Written = { -readonly [Key in keyof RequestRecord]: RequestRecord[Key] };

/** A log of requests that a panel running for weeks can afford: the newest hundred thousand. */
export class RequestLog {
  #records: Written[] = [];
  #count = 0;

  add(method: string, path: string, at: number, body: string, fault: FaultKind | undefined): (status: number) => void {
    const record: Written = {
      number: ++this.#count,
      method,
      path,
      at,
      ...(body === "" ? {} : { body: body.slice(0, 100_000) }),
      ...(fault === undefined ? {} : { fault }),
    };
    this.#records.push(record);
    if (this.#records.length > 110_000) this.#records = this.#records.slice(-100_000);
    return (status) => {
      record.status = status;
    };
  }

  all(): readonly RequestRecord[] {
    return this.#records;
  }
}
