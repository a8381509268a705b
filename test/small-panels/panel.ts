/** A panel that implements docs/how-it-works.md#what-a-panel-must-show in a few lines, as an engineer who has read nothing else would. */
export interface SmallPanel {
  answer(request: PanelRequest): PanelAnswer | Promise<PanelAnswer>;
  /**
   * Starts somebody else's operation on a machine: "start", "stop", "backup", "resize" or "restore". It takes `world.restoreSeconds`. "run
   * again" makes all failed jobs complete, and "run the first again" only the oldest. After "purge", the machine's jobs are no longer listed.
   */
  work(machine: string, operation: string): void;
}

export type MakePanel = (world: World) => SmallPanel;

export interface World {
  now(): number;
  after(ms: number, run: () => void): void;
  pause(ms: number): Promise<void>;
  readonly restoreSeconds: number;
  /** The outcome of a restore of this machine that begins now. */
  endOf(machine: string): "complete" | "failed";
  /** Called for each accepted restore with the ids of all rows that the panel makes for it, now or later. The tests check against these ids. */
  posted(restore: {
    readonly machine: string;
    readonly point: string;
    readonly paths?: readonly string[];
    readonly ids: readonly (string | number)[];
  }): void;
}

export interface PanelRequest {
  readonly method: string;
  /** The path as it was sent, including the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface PanelAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent unchanged, anything else as JSON. */
  readonly body?: unknown;
}

export type Format = "json" | "xml";

/** What a request asks for: one of the requests in docs/how-it-works.md#what-a-panel-must-show, or a list of recovery points. */
export type Operation =
  | { readonly what: "restore" | "files"; readonly machine: string; readonly point: string; readonly format: Format }
  | (Paged & { readonly what: "transactions"; readonly detailed: boolean })
  | (Paged & { readonly what: "log" | "points"; readonly machine: string });

interface Paged {
  readonly format: Format;
  readonly page: number | undefined;
  readonly perPage: number | undefined;
}

export function operationOf({ method, path }: Pick<PanelRequest, "method" | "path">): Operation | undefined {
  const post =
    /^\/virtual_machines\/([^/]+)\/backups\/recovery_points\/([^/]+)\/(restore|file_entries)\.(json|xml)$/.exec(path);
  if (method === "POST" && post) {
    const [, machine = "", point = "", what, format] = post;
    return { what: what === "restore" ? "restore" : "files", machine, point, format: format as Format };
  }
  const list =
    /^\/(?:transactions|virtual_(?:machines|servers)\/([^/]+)\/(logs|backups\/recovery_points))\.(json|xml)((?:\/(?:page|per_page)\/\d+)*)(\?detailed\b.*)?$/.exec(
      path,
    );
  if (method !== "GET" || !list) return undefined;
  const [, machine, of, format, suffixes = "", query] = list;
  const numberOf = (name: string): number | undefined => {
    const found = new RegExp(`/${name}/(\\d+)`).exec(suffixes)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const common = { format: format as Format, page: numberOf("page"), perPage: numberOf("per_page") };
  if (machine !== undefined) return { what: of === "logs" ? "log" : "points", machine, ...common };
  return { what: "transactions", ...common, detailed: query !== undefined };
}

export function pathsOf({ body }: Pick<PanelRequest, "body">): string[] {
  if (body.trim().startsWith("{")) return (JSON.parse(body) as { paths: string[] }).paths;
  return [...body.matchAll(/<path>([^<]*)<\/path>/g)].map(([, path = ""]) => path);
}
