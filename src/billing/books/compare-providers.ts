/** Compares the payments at providers with those credited here. */
import type { Sql } from "../../kernel/db/index.ts";
import type { PaymentProvider, ProviderPayment, Providers } from "../providers/provider.ts";
import { type Check, checkBooks, type Finding } from "./check.ts";

const day = 24 * 3_600_000;
/** How far back providers are asked; a charge younger than `youngMs` may not have been reported yet. */
const looksBack = { ms: 30 * day, youngMs: 10 * 60_000 } as const;

export interface KnownPayment extends ProviderPayment {
  readonly id: number;
  readonly credited: boolean;
}

/** Checks the books themselves, and against the providers. */
export async function checkEverything(
  sql: Sql,
  providers: Providers,
  workspaceId: string,
  now: Date,
): Promise<Check> {
  const books = await checkBooks(sql, workspaceId, now);
  const findings = [...books.findings, ...(await compareProviders(sql, providers, workspaceId, now))];
  return { ...books, findings, right: findings.length === 0 };
}

/** One finding for each charge that differs; one for a provider that could not be asked. */
export async function compareProviders(
  sql: Sql,
  providers: Providers,
  workspaceId: string,
  now: Date,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const provider of providers.values()) {
    const sellers = await sellersOf(sql, workspaceId, provider.name);
    if (sellers.length > 0)
      findings.push(...(await compareOne(sql, provider, { workspaceId, sellers, now })));
  }
  return findings;
}

async function compareOne(
  sql: Sql,
  provider: PaymentProvider,
  { workspaceId, sellers, now }: { workspaceId: string; sellers: readonly string[]; now: Date },
): Promise<readonly Finding[]> {
  const since = new Date(now.getTime() - looksBack.ms);
  const told = await provider.payments(workspaceId, sellers, since);
  if ("trouble" in told)
    return [
      {
        ...{ finding: "provider_unheard", subject: provider.name },
        message: `${provider.name} could not be asked for its payments: ${told.trouble}`,
      },
    ];
  const known = await paymentsOf(sql, workspaceId, provider.name, since);
  const settled = told.filter(({ at }) => now.getTime() - at.getTime() > looksBack.youngMs);
  // A charge at the very start of the period may be missing on one side.
  const surely = known.filter(({ at }) => at.getTime() - since.getTime() > day);
  return [...missingHere(provider.name, settled, known), ...missingThere(provider.name, told, surely)];
}

/** Charges at the provider that are missing or different here. */
export function missingHere(
  provider: string,
  told: readonly ProviderPayment[],
  known: readonly KnownPayment[],
): readonly Finding[] {
  const ours = new Map(known.map((payment) => [payment.chargeId, payment]));
  return told.flatMap(({ chargeId, amount, currency, refunded }) => {
    const own = ours.get(chargeId);
    const found = (finding: string, message: string) => [{ finding, subject: chargeId, message }];
    const sum = `${amount} ${currency}`;
    if (!own)
      return found(
        "payment_not_recorded",
        `${provider} was paid ${sum} (${chargeId}), nothing here knows of it`,
      );
    const name = `payment ${own.id} (${provider} ${chargeId})`;
    if (own.amount !== amount || own.currency !== currency)
      return found(
        "payment_amount_differs",
        `${name}: it was paid ${sum}, here it is ${own.amount} ${own.currency}`,
      );
    if (own.refunded !== refunded)
      return found(
        "refund_differs",
        `${name}: ${refunded} ${currency} went back, here it is ${own.refunded}`,
      );
    if (!own.credited && own.refunded < own.amount)
      return found("payment_not_credited", `${name}: ${sum} was paid, neither credited nor given back`);
    return [];
  });
}

/** Payments credited here without a charge at the provider. */
export function missingThere(
  provider: string,
  told: readonly ProviderPayment[],
  known: readonly KnownPayment[],
): readonly Finding[] {
  const theirs = new Set(told.map(({ chargeId }) => chargeId));
  return known
    .filter(({ credited, chargeId }) => credited && !theirs.has(chargeId))
    .map(({ id, chargeId }) => ({
      ...{ finding: "payment_unknown_to_provider", subject: chargeId },
      message: `payment ${id} was credited, ${provider} knows no charge ${chargeId}`,
    }));
}

async function sellersOf(sql: Sql, workspaceId: string, provider: string): Promise<string[]> {
  const rows = await sql<{ seller: string }[]>`
    select distinct seller from billing.sales where workspace_id = ${workspaceId} and provider = ${provider} order by 1`;
  return rows.map(({ seller }) => seller);
}

async function paymentsOf(
  sql: Sql,
  workspaceId: string,
  provider: string,
  since: Date,
): Promise<KnownPayment[]> {
  return sql<KnownPayment[]>`
    select p.id, p.charge_id as "chargeId", p.amount::float8, p.currency, p.refunded::float8, p.created_at as at,
      p.status in ('completed', 'refunded') as credited
    from billing.payments p
    where p.workspace_id = ${workspaceId} and p.provider = ${provider} and p.charge_id is not null
      and p.created_at > ${new Date(since.getTime() - day)}`;
}

/** Checks every workspace with sales, one after the other; a difference becomes an event, and with it an alert. */
export async function compareAllProviders(sql: Sql, providers: Providers, now: Date): Promise<number> {
  const rows = await sql<{ workspace_id: string }[]>`select distinct workspace_id from billing.sales`;
  let count = 0;
  for (const { workspace_id: workspaceId } of rows) {
    const findings = await compareProviders(sql, providers, workspaceId, now);
    if (findings.length === 0) continue;
    count += findings.length;
    await sql`select billing.note_discrepancy(${workspaceId}, ${JSON.stringify(findings)}::text::jsonb, ${now})`;
  }
  return count;
}
