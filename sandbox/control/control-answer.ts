export type ControlAnswer =
  { readonly status: number; readonly json: unknown } | { readonly status: 200; readonly html: string };

export function nowhere(path: string): ControlAnswer {
  return { status: 404, json: { error: `there is nothing at ${path}` } };
}
