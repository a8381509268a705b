export interface PanelRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface PanelResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** A request that has arrived whole. */
export type ReceivedRequest = PanelRequest & { readonly body: string };
