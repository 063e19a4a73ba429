import { z } from "zod";
import type { Sql, Transaction } from "../../kernel/db/index.ts";

/** Where the receipt is sent. A phone is digits with the country code, as YooKassa accepts it. */
export interface Contact {
  readonly kind: "email" | "phone";
  readonly value: string;
}

const emailShape = z.email().max(254);

/** Parses what a person wrote when asked for an e-mail or a phone; undefined if it is neither. */
export function readContact(text: string): Contact | undefined {
  const given = text.trim();
  if (given.includes("@")) {
    const email = emailShape.safeParse(given);
    return email.success ? { kind: "email", value: email.data } : undefined;
  }
  if (!/^\+?[\d\s().-]{10,25}$/.test(given)) return undefined;
  const digits = given.replace(/\D/g, "");
  // Within Russia people write 8 instead of +7, or leave both out.
  const phone = given.startsWith("+")
    ? digits
    : digits.replace(/^8(?=\d{10}$)/, "7").replace(/^(?=9\d{9}$)/, "7");
  return /^\d{11,15}$/.test(phone) ? { kind: "phone", value: phone } : undefined;
}

export interface Buyer {
  readonly workspaceId: string;
  readonly userId: number;
}

export async function contactOf(
  sql: Sql | Transaction,
  { workspaceId, userId }: Buyer,
): Promise<Contact | undefined> {
  const [row] = await sql<Contact[]>`
    select kind, value from billing.contacts where workspace_id = ${workspaceId} and user_id = ${userId}`;
  return row;
}

/** Stores where receipts are sent; a later contact replaces it. */
export async function keepContact(
  sql: Sql | Transaction,
  { workspaceId, userId }: Buyer,
  { kind, value }: Contact,
  now: Date,
): Promise<void> {
  await sql`
    insert into billing.contacts (workspace_id, user_id, kind, value, updated_at)
    values (${workspaceId}, ${userId}, ${kind}, ${value}, ${now})
    on conflict (workspace_id, user_id) do update
      set kind = excluded.kind, value = excluded.value, updated_at = excluded.updated_at`;
}
