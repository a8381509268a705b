import { PanelError, saysNoSuchPage } from "../panel/errors";
import type { GetOptions, PanelClient, Transaction } from "../panel/types";

interface NumberedPage {
  readonly page: number;
  readonly detailed?: boolean;
}

/**
 * The rows of a page that is asked for by its number alone; none past the end of the list, however the panel says that there is no such page.
 *
 * Some panels fail over a number past the end, and any panel fails now and then: from a row's absence follows that it is waited for no
 * more. So a failure tells of the page only when the list can be read right after it, and the page fails again.
 */
export async function readNumberedPage(
  client: PanelClient,
  request: NumberedPage,
  options: GetOptions,
): Promise<readonly Transaction[]> {
  const first = await rowsOrFailure(client, request, options);
  if (!(first instanceof PanelError)) return first;
  // Without the logs: it only has to be there.
  if ((await client.listTransactions({ page: 1 }, options)).items.length === 0) throw first;
  const again = await rowsOrFailure(client, request, options);
  return again instanceof PanelError ? [] : again;
}

async function rowsOrFailure(
  client: PanelClient,
  request: NumberedPage,
  options: GetOptions,
): Promise<readonly Transaction[] | PanelError> {
  try {
    return (await client.listTransactions(request, options)).items;
  } catch (error) {
    if (!(error instanceof PanelError)) throw error;
    if (saysNoSuchPage(error)) return [];
    if (error.status === 500 || error.status === 501) return error;
    throw error;
  }
}
