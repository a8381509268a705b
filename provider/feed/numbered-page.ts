import { PanelError, saysNoSuchPage } from "../panel/errors";
import type { GetOptions, PanelClient, Transaction } from "../panel/terms/types";

/** The rows of a page that is asked for by its number alone; none past the end of the list, however the panel says that there is no such page. */
export async function readNumberedPage(
  client: PanelClient,
  request: { readonly page: number; readonly detailed?: boolean },
  options: GetOptions,
): Promise<readonly Transaction[]> {
  try {
    return (await client.listTransactions(request, options)).items;
  } catch (error) {
    if (isNoSuchPage(error)) return [];
    throw error;
  }
}

/**
 * Some panels fail over a number past the end. One such answer alone proves nothing about the rows below it: whoever
 * concludes from it asks for the page again.
 */
function isNoSuchPage(error: unknown): boolean {
  return error instanceof PanelError && (saysNoSuchPage(error) || error.status === 500 || error.status === 501);
}
