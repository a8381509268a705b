import { CredentialsError, ForbiddenError, ServerError } from "../../../provider/panel/errors";
import { TimeoutError } from "../../../provider/panel/connection-errors";
import { panelAddress } from "./rows";

const exchange = { address: panelAddress, method: "GET", path: "/transactions.json" };

export const credentials = (): Error => new CredentialsError({ ...exchange, status: 401 });
export const forbidden = (): Error => new ForbiddenError({ ...exchange, status: 403 });
export const serverError = (): Error => new ServerError({ ...exchange, status: 503 });
export const timedOut = (): Error => new TimeoutError(exchange, "whole", 30_000, true);
