import * as recovery from "pulumi-recovery";

export const recent = recovery.getTransactionsOutput({ limit: 3 }).transactions.length;
