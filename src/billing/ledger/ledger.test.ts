import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../tests/support/database.ts";
import { aWorkspace } from "../../delivery/testing/builders.ts";
import { systemClock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { aPerson, balanceOf, findingsIn } from "../testing/builders.ts";
import { createLedger, type Work } from "./ledger.ts";
import { refusalOf } from "./refusals.ts";

let database: TestDatabase;
let sql: Sql;
let workspaceId: string;
let userId: number;

beforeAll(async () => {
  database = await testDatabase({ max: 12 });
  sql = database.sql;
  await sql`select workspaces.ensure_event_partitions()`;
});
afterAll(() => database?.drop());
beforeEach(async () => {
  workspaceId = await aWorkspace(sql);
  userId = await aPerson(sql, workspaceId);
});

const ledger = () => createLedger(sql, systemClock);
const work = (given: Partial<Work> = {}): Work => ({
  ...{ workspaceId, userId, run: "article-1", step: "text", operation: "text_generation", tokens: 200 },
  ...given,
});
const balance = () => balanceOf(sql, workspaceId, userId);
const history = async () =>
  (
    await sql<{ operation_type: string; amount: number }[]>`
      select operation_type, amount from billing.token_expenses
      where workspace_id = ${workspaceId} and user_id = ${userId} order by id`
  ).map(({ operation_type, amount }) => `${operation_type} ${amount}`);
const account = async (name: string) => {
  const [row] = await sql<[{ sum: number }]>`
    select coalesce(sum(amount), 0)::int as sum from billing.entries
    where workspace_id = ${workspaceId} and account = ${name}`;
  return row.sum;
};
/** The code of a refusal, or the message of another error. */
const refused = async (attempt: PromiseLike<unknown>) => {
  try {
    await attempt;
    return "done";
  } catch (error) {
    return refusalOf(error)?.code ?? String(error);
  }
};

describe("the document's functions", () => {
  it("charge what there is and answer the balance, and refuse the rest with insufficient_balance", async () => {
    const [charged] = await sql`select billing.charge_balance(${workspaceId}, ${userId}, 999) as balance`;
    expect(charged?.balance).toBe(1);
    await expect(sql`select billing.charge_balance(${workspaceId}, ${userId}, 2)`).rejects.toThrow(
      /^insufficient_balance$/,
    );
    expect([await balance(), await history()]).toEqual([1, ["welcome_bonus 1000", "text_generation -999"]]);
    expect(await findingsIn(sql, workspaceId)).toEqual([]);
  });

  it("charge nobody unknown, and answer null when one is refunded or credited", async () => {
    await expect(sql`select billing.charge_balance(${workspaceId}, 5, 1)`).rejects.toThrow(
      "insufficient_balance",
    );
    expect([
      ...(await sql`
        select billing.refund_balance(${workspaceId}, 5, 1) as refund, billing.credit_balance(${workspaceId}, 5, 1) as credit`),
    ]).toEqual([{ refund: null, credit: null }]);
    expect(await findingsIn(sql, workspaceId)).toEqual([]);
  });

  it.each(["charge_balance", "refund_balance", "credit_balance"])("refuse 0 and less: %s", async (name) => {
    for (const amount of [0, -5, null])
      expect(
        await refused(sql`select ${sql(`billing.${name}`)}(${workspaceId}, ${userId}, ${amount}::int)`),
      ).toBe("amount_not_positive");
    expect(await balance()).toBe(1_000);
  });

  it("credit from the account that the operation names", async () => {
    for (const operation of ["purchase", "referral_bonus", "welcome_bonus"])
      await sql`select billing.credit_balance(${workspaceId}, ${userId}, 10, ${operation})`;
    expect([await account("revenue_manual"), await account("referral"), await account("bonuses")]).toEqual([
      -10, -10, -1_010,
    ]);
    expect(await refused(sql`select billing.credit_balance(${workspaceId}, ${userId}, 1, 'gift')`)).toBe(
      "operation_unknown",
    );
  });

  it("do the same once under one key, and refuse the key for anything else", async () => {
    const charge = (amount: number) =>
      sql`select billing.charge_balance(${workspaceId}, ${userId}, ${amount}, 'audit', 'audit-7')`;
    await Promise.all(Array.from({ length: 8 }, () => charge(50)));
    expect(await balance()).toBe(950);
    expect(await refused(charge(60))).toBe("key_reused");
    expect(await balance()).toBe(950);
  });

  it("let twelve who charge at once take no more than there is", async () => {
    const taken = await Promise.all(
      Array.from({ length: 12 }, () =>
        refused(sql`select billing.charge_balance(${workspaceId}, ${userId}, 300)`),
      ),
    );
    expect(taken.filter((each) => each === "done")).toHaveLength(3);
    expect(taken.filter((each) => each === "insufficient_balance")).toHaveLength(9);
    expect([await balance(), await findingsIn(sql, workspaceId)]).toEqual([100, []]);
  });
});

describe("an account", () => {
  it("is opened once with one welcome bonus, however many open it at once", async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => ledger().open(workspaceId, 9_001)));
    expect(new Set(opened)).toEqual(new Set([1_000]));
    expect(await account("bonuses")).toBe(-2_000);
  });
});

describe("a hold", () => {
  it("lowers the balance at once, shrinks to the real words and is settled", async () => {
    expect(await ledger().hold(work())).toEqual({ ok: true, balance: 800 });
    expect(await account("in_progress")).toBe(200);
    expect(await ledger().lower(work(), 170)).toBe(830);
    expect(await ledger().settle(workspaceId, "article-1", "published")).toBe(170);
    expect([await account("in_progress"), await account("done"), await balance()]).toEqual([0, 170, 830]);
    expect(await history()).toEqual(["welcome_bonus 1000", "text_generation -200", "refund 30"]);
    expect(await findingsIn(sql, workspaceId)).toEqual([]);
  });

  // covers payments: F04 Charging
  it.each([
    ["published", "settle", 170],
    ["HTML copied", "settle", 170],
    ["E26 interrupted by another dialogue", "settle", 170],
    ["E27 timed out", "settle", 170],
    ["cancelled", "giveBack", 0],
    ["expired", "giveBack", 0],
  ] as const)("of work that was %s ends in %s, once, and keeps the reason", async (reason, end, spent) => {
    await ledger().hold(work());
    await ledger().lower(work(), 170);
    await ledger()[end](workspaceId, "article-1", reason);
    // What is done to it later changes nothing: copied, then published or cancelled.
    await ledger().settle(workspaceId, "article-1", "published");
    await ledger().giveBack(workspaceId, "article-1", "cancelled");
    const [hold] = await sql`select state, reason from billing.holds where workspace_id = ${workspaceId}`;
    expect(hold).toEqual({ state: end === "settle" ? "settled" : "returned", reason });
    expect([await balance(), await account("done"), await account("in_progress")]).toEqual([
      1_000 - spent,
      spent,
      0,
    ]);
  });

  // covers payments: E01 Too few tokens
  it("is not made when tokens are short, and says how short", async () => {
    expect(await ledger().hold(work({ tokens: 1_001 }))).toEqual({
      ok: false,
      balance: 1_000,
      needed: 1_001,
    });
    expect([...(await sql`select from billing.holds where workspace_id = ${workspaceId}`)]).toEqual([]);
    expect(await history()).toEqual(["welcome_bonus 1000"]);
  });

  it("is made once, whoever asks again; a step that has ended is not done for free", async () => {
    await Promise.all(Array.from({ length: 8 }, () => ledger().hold(work())));
    expect(await balance()).toBe(800);
    expect(await refused(ledger().hold(work({ tokens: 100 })))).toBe("key_reused");
    await ledger().giveBack(workspaceId, "article-1", "cancelled");
    expect(await refused(ledger().hold(work()))).toBe("hold_ended");
    expect(await balance()).toBe(1_000);
  });

  // covers payments: F04 Charging
  it("goes back whole with everything that was held for the same work, regenerations included", async () => {
    await ledger().hold(work());
    await ledger().hold(work({ step: "images", operation: "image_generation", tokens: 120 }));
    await ledger().hold(work({ step: "text-3", tokens: 320 }));
    await ledger().lower(work({ step: "text-3" }), 300);
    expect(await ledger().giveBack(workspaceId, "article-1", "cancelled")).toBe(620);
    expect(await ledger().giveBack(workspaceId, "article-1", "cancelled")).toBe(620);
    expect([await balance(), await findingsIn(sql, workspaceId)]).toEqual([1_000, []]);
  });

  it("of pictures that failed goes back alone, and the rest is settled", async () => {
    await ledger().hold(work());
    const images = work({ step: "images", operation: "image_generation", tokens: 120 });
    await ledger().hold(images);
    expect(await ledger().giveBackStep(images, "no picture came")).toBe(120);
    expect(await ledger().settle(workspaceId, "article-1", "published")).toBe(200);
    expect(await balance()).toBe(800);
  });

  it("ends once: of settling and returning at the same time one happens", async () => {
    for (let turn = 0; turn < 10; turn += 1) {
      const run = `race-${turn}`;
      await ledger().hold(work({ run, tokens: 50 }));
      const [settled, back] = await Promise.all([
        ledger().settle(workspaceId, run, "published"),
        ledger().giveBack(workspaceId, run, "expired"),
      ]);
      expect([settled, back].toSorted((one, other) => one - other)).toEqual([0, 50]);
    }
    expect(await findingsIn(sql, workspaceId)).toEqual([]);
  });

  it("is never raised, by a function or by hand", async () => {
    await ledger().hold(work());
    expect(await refused(ledger().lower(work(), 201))).toBe("hold_only_lowers");
    expect(await refused(ledger().lower(work(), 0))).toBe("amount_not_positive");
    expect(await refused(ledger().lower(work({ step: "other" }), 10))).toBe("hold_unknown");
    await ledger().lower(work(), 150);
    await expect(
      sql`update billing.holds set amount = 160 where workspace_id = ${workspaceId}`,
    ).rejects.toThrow("never changed");
    await ledger().settle(workspaceId, "article-1", "published");
    expect(await refused(ledger().lower(work(), 100))).toBe("hold_ended");
    await expect(
      sql`update billing.holds set state = 'held', ended_at = null where workspace_id = ${workspaceId}`,
    ).rejects.toThrow("never changed");
  });

  it("in a transaction that is not committed has never been", async () => {
    await sql
      .begin(async (tx) => {
        await createLedger(tx, systemClock).hold(work());
        throw new Error("the product's part failed");
      })
      .catch(() => undefined);
    expect([await balance(), await findingsIn(sql, workspaceId)]).toEqual([1_000, []]);
  });
});

describe("the books", () => {
  it.each(["transfers", "token_expenses"])("keep every row of %s as it was written", async (table) => {
    await ledger().hold(work());
    for (const change of [
      sql`update ${sql(`billing.${table}`)} set created_at = now() where workspace_id = ${workspaceId}`,
      sql`delete from ${sql(`billing.${table}`)} where workspace_id = ${workspaceId}`,
      sql`truncate ${sql(`billing.${table}`)}`,
    ])
      await expect(change).rejects.toThrow(/is never (changed|emptied)/);
  });

  it("take no transfer that does not sum to zero", async () => {
    await expect(
      sql`
        insert into billing.transfers (workspace_id, key, kind, user_id, tokens, bonuses, created_at)
        values (${workspaceId}, 'forged', 'welcome', ${userId}, 100, -99, now())`,
    ).rejects.toThrow("balanced");
  });

  it("go with their workspace, and only with all of it", async () => {
    await ledger().hold(work());
    await sql`select workspaces.forget_workspace(${workspaceId})`;
    const left = await sql`select from billing.transfers where workspace_id = ${workspaceId}`;
    expect(left).toHaveLength(0);
  });

  it("keep a workspace from being deleted while work is under way", async () => {
    await ledger().hold(work());
    const busy = async () => (await sql`select billing.workspace_busy(${workspaceId}) as busy`)[0]?.busy;
    expect(await busy()).toBe(true);
    await ledger().settle(workspaceId, "article-1", "published");
    expect(await busy()).toBe(false);
  });
});
