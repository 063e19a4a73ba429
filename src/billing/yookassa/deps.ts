import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import type { Log } from "../../kernel/log/index.ts";
import type { YooKassa } from "./client.ts";
import type { ReceiptSettings } from "./receipt.ts";
import type { Language } from "./texts.ts";

/** The name in sales and payments. */
export const provider = "yookassa";

export interface CardDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly yookassa: YooKassa;
  /** Undefined if receipts are made elsewhere. */
  readonly receipts: ReceiptSettings | undefined;
  readonly language: Language;
}

/** A payment of ours. */
export interface PaymentRef {
  readonly workspaceId: string;
  readonly paymentId: number;
}

/** Tells operators about a problem that concerns no single payment. */
export async function noteTrouble(
  { sql, clock, log }: Pick<CardDeps, "clock" | "log"> & { readonly sql: Sql | Transaction },
  code: string,
  message: string,
): Promise<void> {
  log.warn({ code, provider }, message);
  await sql`select billing.note_payment_trouble(${provider}, ${code}, ${message}, ${clock.now()})`;
}
