import type { Sql } from "../../kernel/db/index.ts";

/** A person with this many tokens. */
export async function aPerson(
  sql: Sql,
  workspaceId: string,
  { id = nextId(), tokens = 1_000 }: { id?: number; tokens?: number } = {},
): Promise<number> {
  await sql`
    insert into billing.settings (workspace_id, welcome_tokens) values (${workspaceId}, ${tokens})
    on conflict (workspace_id) do update set welcome_tokens = excluded.welcome_tokens`;
  await sql`select billing.open_account(${workspaceId}, ${id})`;
  return id;
}

let ids = 100;
function nextId(): number {
  ids += 1;
  return ids;
}

export interface PaymentBuilder {
  readonly userId: number;
  readonly provider?: string;
  readonly tokens?: number;
  readonly bonus?: number;
  readonly rub?: number;
  readonly stars?: number | null;
  readonly payer?: string | null;
  readonly product?: string;
}

/** An expected payment with its sale. */
export async function aPayment(sql: Sql, workspaceId: string, given: PaymentBuilder): Promise<number> {
  const saleId = await aSale(sql, workspaceId, given);
  const [payment] = await sql<[{ id: number }]>`
    insert into billing.payments (workspace_id, user_id, sale_id, provider, product, package_name, tokens_amount, tokens_bonus,
      amount_rub, amount, currency, payer)
    select s.workspace_id, s.user_id, s.id, s.provider, s.product, s.package_name, s.tokens, s.bonus, s.price_rub, s.amount, s.currency,
      ${given.payer ?? null}
    from billing.sales s where s.workspace_id = ${workspaceId} and s.id = ${saleId} returning id`;
  return payment.id;
}

/** A sale that is paid for once. */
export function aSale(sql: Sql, workspaceId: string, given: PaymentBuilder): Promise<number> {
  return insertSale(sql, workspaceId, { tokens: 3_500, bonus: 500, rub: 3_000, ...given }, "starter");
}

/** A sale that is charged every month. */
export function aSubscriptionSale(sql: Sql, workspaceId: string, given: PaymentBuilder): Promise<number> {
  return insertSale(sql, workspaceId, { tokens: 7_200, bonus: 1_200, rub: 6_000, ...given }, "pro");
}

async function insertSale(
  sql: Sql,
  workspaceId: string,
  given: PaymentBuilder & Required<Pick<PaymentBuilder, "tokens" | "bonus" | "rub">>,
  name: "starter" | "pro",
): Promise<number> {
  const { userId, provider = "yookassa", tokens, bonus, rub, stars = null, product = "a_product" } = given;
  const [sale] = await sql<[{ id: number }]>`
    insert into billing.sales (workspace_id, user_id, product, provider, seller, package_name, tokens, bonus, price_rub, amount, currency,
      period_days, recurring, created_at)
    values (${workspaceId}, ${userId}, ${product}, ${provider}, 'a_seller', ${name}, ${tokens}, ${bonus}, ${rub}, ${stars ?? rub},
      ${stars === null ? "RUB" : "XTR"}, ${name === "pro" ? 30 : null}, ${name === "pro"}, now()) returning id`;
  return sale.id;
}

export async function balanceOf(sql: Sql, workspaceId: string, userId: number): Promise<number | undefined> {
  const [row] = await sql<{ balance: number }[]>`
    select balance from billing.users where workspace_id = ${workspaceId} and id = ${userId}`;
  return row?.balance;
}

/** The findings of the check; empty if the books are right. */
export async function findingsIn(sql: Sql, workspaceId: string, now = new Date()): Promise<string[]> {
  const rows = await sql<{ finding: string }[]>`
    select finding from billing.check_books(${workspaceId}, ${now}) order by 1`;
  return rows.map(({ finding }) => finding);
}
