/** A person's payments, history and balance come as one piece, through billing: the books add up before and after. */
import { count, freshRows, type Importing, leaveOut, markCome } from "./importing.ts";
import type { OldRow } from "./old-tables.ts";

export interface Money {
  readonly people: number;
  readonly tokens: number;
  /** Tokens of previews that nobody can publish any more: they go back. */
  readonly returned: number;
}

/** What the history of a person says of the balance that came. */
const openingNote = "Баланс до переезда";

const byHand = "their money has come already: adjust the balance by hand (molva billing adjust)";

export async function bringMoney(
  to: Importing,
  {
    product,
    people,
    drafts,
  }: { readonly product: string; readonly people: readonly OldRow[]; readonly drafts: readonly OldRow[] },
): Promise<Money> {
  const fresh = new Set(people.map(({ id }) => id));
  const payments = await moneyRows(to, "payments", fresh, paymentIn);
  const expenses = await moneyRows(to, "token_expenses", fresh, expenseIn);
  const returns = grouped(
    drafts.filter((row) => fresh.has(Number(row.user_id)) && Number(row.tokens_charged ?? 0) > 0),
  );
  // A payment writes to the history, too: its row gets a number that no old row has.
  const highest = (rows: Map<number, OldRow[]>) =>
    [...rows.values()].flat().reduce((most, { id }) => Math.max(most, id), 0);
  await to.tx`select billing.advance_ids(${highest(payments)}, ${highest(expenses)})`;
  let tokens = 0;
  let returned = 0;
  for (const person of people) {
    const back = (returns.get(person.id) ?? []).map((draft) => returnOf(to, draft));
    returned += back.reduce((sum, { amount }) => sum + amount, 0);
    const lists = [payments.get(person.id) ?? [], expenses.get(person.id) ?? [], back].map((list) =>
      JSON.stringify(list),
    );
    const [row] = await to.tx<[{ balance: number }]>`
      select billing.import_account(${to.workspaceId}, ${person.id}, ${Number(person.balance ?? 0)}, ${product},
        ${lists[0] ?? "[]"}::text::jsonb, ${lists[1] ?? "[]"}::text::jsonb, ${lists[2] ?? "[]"}::text::jsonb, ${openingNote},
        ${String(person.created_at ?? to.now.toISOString())}::text::timestamptz, ${to.now}) as balance`;
    tokens += row.balance;
  }
  return { people: people.length, tokens, returned };
}

type Read = { readonly row: OldRow } | { readonly fault: string; readonly wayOut?: string };

/** The usable rows by person. All rows of a person come with them; later ones are for a human. */
async function moneyRows(
  to: Importing,
  table: "payments" | "token_expenses",
  people: ReadonlySet<number>,
  read: (row: OldRow) => Read,
): Promise<Map<number, OldRow[]>> {
  const { found, fresh } = await freshRows(to, table);
  const taken = table === "payments" ? await takenPayments(to, fresh) : new Set<number>();
  const usable: { readonly id: number; readonly row: OldRow }[] = [];
  for (const old of fresh) {
    const userId = Number(old.user_id);
    const result = read(old);
    if (!to.come.get("users")?.has(userId))
      leaveOut(to, table, old.id, `it belongs to users ${userId}, who did not come`);
    else if (!people.has(userId))
      leaveOut(to, table, old.id, `it is newer than the import of users ${userId}`, byHand);
    else if (taken.has(old.id))
      leaveOut(
        to,
        table,
        old.id,
        "another payment has this number here",
        "its tokens are in the opening balance; nothing is lost",
      );
    else if ("fault" in result) leaveOut(to, table, old.id, result.fault, result.wayOut);
    else usable.push({ id: old.id, row: result.row });
  }
  await markCome(
    to,
    table,
    usable.map(({ id }) => ({ id })),
  );
  count(to, table, { found, fresh: fresh.length, came: usable.length });
  return grouped(usable.map(({ row }) => row));
}

async function takenPayments(to: Importing, rows: readonly OldRow[]): Promise<Set<number>> {
  const found = await to.tx<{ id: number }[]>`
    select id from billing.payments
    where workspace_id = ${to.workspaceId} and id = any(${rows.map(({ id }) => id)}::bigint[])`;
  return new Set(found.map(({ id }) => id));
}

function grouped(rows: readonly OldRow[]): Map<number, OldRow[]> {
  const groups = new Map<number, OldRow[]>();
  for (const row of rows) {
    const userId = Number(row.user_id);
    const group = groups.get(userId);
    if (group) group.push(row);
    else groups.set(userId, [row]);
  }
  return groups;
}

const inOpening = "its tokens, if any, are in the opening balance";

function paymentIn(row: OldRow): Read {
  const stars = row.provider === "stars";
  if (!stars && row.provider !== "yookassa")
    return { fault: `${row.provider} is no provider that is known here`, wayOut: inOpening };
  if (row.status === "pending")
    return { fault: "nobody has paid it yet", wayOut: "the person buys again here" };
  if (!["completed", "refunded", "failed"].includes(String(row.status)))
    return { fault: `its status is ${row.status}` };
  const amount = Number((stars ? row.stars_amount : row.amount_rub) ?? 0);
  if (!(amount > 0)) return { fault: "it says no amount", wayOut: inOpening };
  const rub = Number(row.amount_rub ?? 0);
  return {
    row: {
      ...row,
      ...{ tokens_amount: row.tokens_amount ?? 0, package_name: row.package_name ?? "imported" },
      ...{
        is_subscription: row.is_subscription ?? false,
        referral_bonus_credited: row.referral_bonus_credited ?? false,
      },
      ...{ amount, currency: stars ? "XTR" : "RUB", amount_rub: rub > 0 ? rub : null },
      charge_id: (stars ? row.telegram_payment_charge_id : row.yookassa_payment_id) ?? null,
      method_id: row.yookassa_payment_method_id ?? null,
    },
  };
}

function expenseIn(row: OldRow): Read {
  const type = String(row.operation_type);
  const amount = Number(row.amount);
  if (!/^[a-z][a-z0-9_]{0,49}$/.test(type))
    return { fault: `${type} is no kind of expense`, wayOut: inOpening };
  if (type.startsWith("api_"))
    return {
      row: {
        ...row,
        amount: 0,
        cost_usd: row.cost_usd ?? 0,
        call_id: `import/${row.id}`,
        transfer_key: null,
      },
    };
  if (type === "purchase" && amount > 0)
    return { fault: "its payment says the same", wayOut: "nothing: it comes with the payment" };
  if (amount === 0) return { fault: "it moved no tokens", wayOut: "nothing" };
  return { row: { ...row, amount, call_id: null, transfer_key: `import/expense/${row.id}` } };
}

function returnOf({ now }: Importing, draft: OldRow) {
  return {
    ...{
      id: null,
      amount: Number(draft.tokens_charged),
      operation_type: "refund",
      description: draft.keyword ?? null,
    },
    ...{ transfer_key: `import/preview/${draft.id}`, call_id: null, created_at: now.toISOString() },
  };
}
