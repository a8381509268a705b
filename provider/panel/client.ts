import { type Clock, pause, type Random, systemClock } from "../plain/clock";
import { omitUndefined } from "../plain/plain";
import { type AnsweredPage, listAnswer, postAnswer } from "./answers";
import { type Decode, decodeLogItems, decodePoints, transactionDecoder } from "./decode";
import { limitConcurrency } from "../plain/semaphore";
import { parseEndpoint } from "./endpoint";
import { type Exchange, PanelError, panelError, type SetElsewhere } from "./errors";
import type { ConfiguredWords } from "./facts";
import type { ListFields } from "./fields";
import { createHttpTransport } from "./http-transport";
import { newestFirst, orWithoutSize } from "./list-page";
import * as requests from "./requests";
import { basicAuthorization, connectionRedactor, type Secret } from "./secrets";
import { sendOnce, type Transport } from "./transport";
import type {
  Format,
  GetOptions,
  ListedPoint,
  ListedRow,
  MachineId,
  PageRequest,
  PanelClient,
  PostAnswer,
} from "./types";
import { requestedPage, walk } from "./walk";
import { type ReadPageIn, readWholeList } from "./whole-list";

export interface PanelClientOptions {
  readonly endpoint: string;
  readonly username: string;
  readonly password: Secret;
  readonly format: Format;
  readonly apiVersion?: string;
  /** Certificate authorities in PEM format, which replace the built-in ones. */
  readonly ca?: string;
  readonly insecure?: boolean;
  readonly fields?: ListFields;
  readonly words?: ConfiguredWords;
  readonly setElsewhere?: SetElsewhere;
  readonly requestTimeoutMs: number;
  /** The longest answer to read, after decompression. @default 32 MiB */
  readonly maxResponseBytes?: number;
  readonly transport?: Transport;
  readonly wrapTransport?: (send: Transport) => Transport;
  readonly clock?: Clock;
  readonly random?: Random;
}

/** Without this limit, a plan for a hundred machines would request a hundred lists of recovery points at once, although the panel has other work to do. */
const mostPointListsAtOnce = 8;

/** Throws a PanelError if the endpoint is unusable. Does not connect before the first request. */
export function createPanelClient(options: PanelClientOptions): PanelClient {
  const { format, apiVersion } = options;
  const sender = new Sender(options);
  const decodeTransactions = transactionDecoder(options.fields, options.words);
  const transactions = (list: GetOptions & { readonly detailed?: boolean }) => {
    const read = async (page: PageRequest) => {
      const asked = omitUndefined({ ...page, detailed: list.detailed });
      return newestFirst(await sender.get(() => requests.listTransactions(asked, format), decodeTransactions, list));
    };
    return list.isExact === true ? read : orWithoutSize(read);
  };
  const logItems = (machine: MachineId, list: GetOptions) =>
    orWithoutSize(async (page) =>
      newestFirst(await sender.get(() => requests.listLogItems(machine, page, format), decodeLogItems, list)),
    );
  const pointReads = limitConcurrency(mostPointListsAtOnce);

  return {
    address: sender.address,
    restoreMachine: (machine, point, limitMs) =>
      sender.post(() => requests.restoreMachine(machine, point, format, apiVersion), limitMs),
    restoreFiles: (machine, point, paths, limitMs) =>
      sender.post(() => requests.restoreFiles(machine, point, paths, format), limitMs),
    listTransactions: async (request = {}, getOptions = {}) => {
      // The request is checked in its original form first, because several other requests may be sent in its place.
      sender.built(() => requests.listTransactions(request, format));
      return requestedPage(transactions({ ...getOptions, ...request }), request);
    },
    listLogItems: async (machine, request = {}, getOptions = {}) => {
      sender.built(() => requests.listLogItems(machine, request, format));
      return requestedPage(logItems(machine, getOptions), request);
    },
    listRecoveryPoints: (machine, getOptions = {}) => {
      const read: ReadPageIn<ListedPoint> = (page, form) =>
        sender.get(
          () => requests.listRecoveryPoints(machine, page, format, apiVersion, form),
          decodePoints,
          getOptions,
        );
      return pointReads(() => readWholeList(read));
    },
    walkTransactions: (walkOptions) => walk(transactions(walkOptions), walkOptions),
    walkLogItems: (machine, walkOptions) => walk(logItems(machine, walkOptions), walkOptions),
    close: sender.close,
  };
}

/** Sends requests to one panel: a POST only once, and a GET until it is answered, its time is up, or it has failed a few times. */
class Sender {
  readonly address: string;
  readonly close: () => void;
  readonly #transport: Transport;
  readonly #clock: Clock;
  readonly #context: () => Parameters<typeof listAnswer>[3];

  constructor(private readonly options: PanelClientOptions) {
    const { format, maxResponseBytes = 32 * 1024 * 1024, insecure = false, ca, clock = systemClock } = options;
    const endpoint = parseEndpoint(options.endpoint);
    const redact = connectionRedactor(options.username, options.password);
    const http = createHttpTransport({ endpoint, ca, insecure, maxResponseBytes });
    const send = options.transport ?? http.send;
    this.address = endpoint.address;
    this.close = http.close;
    this.#transport = options.wrapTransport?.(send) ?? send;
    this.#clock = clock;
    this.#context = () => ({ format, redact, now: clock.wallTime().getTime(), maxResponseBytes });
  }

  async post(build: () => requests.ApiRequest, limitMs = 0): Promise<PostAnswer> {
    const request = this.#requestOrError("POST", build);
    if (request instanceof PanelError) return { kind: "refused", error: request };
    const outcome = await this.#send(request, { limitMs: Math.max(this.options.requestTimeoutMs, limitMs) });
    return postAnswer(this.exchangeOf(request), outcome, this.#context());
  }

  async get<Item extends ListedRow>(
    build: () => requests.ApiRequest,
    decode: Decode<Item>,
    { signal }: GetOptions,
  ): Promise<AnsweredPage<Item>> {
    const { requestTimeoutMs, random = Math.random } = this.options;
    const request = this.built(build);
    const endsAt = this.#clock.now() + requestTimeoutMs;
    let before: PanelError | undefined;
    for (let tries = 1; ; tries++) {
      const limitMs = Math.max(1, endsAt - this.#clock.now());
      const outcome = await this.#send(request, { limitMs, signal });
      const answer = listAnswer(this.exchangeOf(request), outcome, decode, this.#context());
      if (!(answer instanceof PanelError)) return answer;
      const remainingMs = endsAt - this.#clock.now();
      const pauseMs = pauseBeforeRetry({ error: answer, tries, remainingMs }, random);
      // If the limit cuts the last attempt short, the previous failure is more informative.
      if (pauseMs === undefined) throw (answer.kind === "timeout" ? before : undefined) ?? answer;
      before = answer;
      await pause(this.#clock, pauseMs, signal).catch(() => {
        throw panelError("aborted", this.exchangeOf(request), true);
      });
    }
  }

  built(build: () => requests.ApiRequest): requests.ApiRequest {
    const request = this.#requestOrError("GET", build);
    if (request instanceof PanelError) throw request;
    return request;
  }

  exchangeOf({ method, path }: requests.ApiRequest): Exchange {
    return { address: this.address, method, path, setElsewhere: this.options.setElsewhere };
  }

  #send(request: requests.ApiRequest, limits: { readonly limitMs: number; readonly signal?: AbortSignal | undefined }) {
    const { format, username, password } = this.options;
    const headers = requests.headersFor(format, basicAuthorization(username, password));
    return sendOnce(this.#transport, { ...request, headers }, { clock: this.#clock, ...limits });
  }

  #requestOrError(method: "GET" | "POST", build: () => requests.ApiRequest): requests.ApiRequest | PanelError {
    try {
      return build();
    } catch (error) {
      if (!(error instanceof requests.UnsendableValue)) throw error;
      return panelError("unsendable", { address: this.address, method, path: "(no path)" }, error.message);
    }
  }
}

const maxTries = 5;
/** While a panel restarts, it may briefly reject its users. A few attempts are enough to show whether the permission is really missing. */
const triesWhileForbidden = 3;
const forbiddenPauseMs = 1_000;
/** Doubled before each retry. */
const pauseUnitMs = 150;
const longestPauseMs = 5_000;
/** A shorter attempt proves nothing about the panel. */
const shortestTryMs = 250;

interface FailedTry {
  readonly error: PanelError;
  readonly tries: number;
  readonly remainingMs: number;
}

function pauseBeforeRetry({ error, tries, remainingMs }: FailedTry, random: Random): number | undefined {
  const isForbidden = error.kind === "forbidden";
  if (!(error.isTransient || isForbidden) || tries >= (isForbidden ? triesWhileForbidden : maxTries)) return undefined;
  // Full jitter, so that runs that failed at the same time do not all retry at the same time.
  const jittered = random() * Math.min(longestPauseMs, pauseUnitMs * 2 ** tries);
  const wished = error.sent.retryAfterMs;
  const atLeast = isForbidden ? forbiddenPauseMs * tries : 0;
  const pauseMs = (wished ?? atLeast) + jittered;
  return pauseMs + shortestTryMs <= remainingMs ? pauseMs : undefined;
}
