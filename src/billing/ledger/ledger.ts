import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql, Transaction } from "../../kernel/db/index.ts";
import { type ShortOfTokens, shortageOf } from "./refusals.ts";

/**
 * A step of a piece of work. `run` is the work, such as an article with its preview and its regenerations; `step` is
 * one charge within it, such as its text. Together they are the key of all its transfers.
 */
export interface Step {
  readonly workspaceId: string;
  readonly run: string;
  readonly step: string;
}

export interface Work extends Step {
  readonly userId: number;
  /** What is sold: `text_generation`, `image_generation`, … */
  readonly operation: string;
  readonly tokens: number;
  /** Shown in the person's history. */
  readonly note?: string | undefined;
}

export type Held = { readonly ok: true; readonly balance: number } | ({ readonly ok: false } & ShortOfTokens);

/** The cost of a provider call, whoever pays for its work. */
export interface CallCost {
  readonly workspaceId: string;
  readonly userId: number;
  readonly provider: string;
  readonly callId: string;
  readonly costUsd: number;
  readonly operation?: string | undefined;
  readonly run?: string | undefined;
  readonly model?: string | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

/**
 * The books, for products. Every call is idempotent: a repeat changes nothing and returns the same. Work holds before
 * its first paid call, then settles or returns; the tokens of a run that does neither are returned automatically,
 * unless `runs_alive` of its product knows it.
 *
 * @example
 * const held = await ledger.hold({ workspaceId, userId, run, step: "text", operation: "text_generation", tokens: 200 });
 * if (!held.ok) return tooFew(held);
 * const words = await write();
 * await ledger.lower({ workspaceId, run, step: "text" }, tokensFor(prices, "text_generation", words));
 * await ledger.settle(workspaceId, run, "published");
 */
export interface Ledger {
  /** Creates a person's account, with the welcome bonus. Returns the balance. */
  open(workspaceId: string, userId: number): Promise<number>;
  balance(workspaceId: string, userId: number): Promise<number | undefined>;
  hold(work: Work): Promise<Held>;
  /** Lowers a hold to the real cost. Returns the balance. */
  lower(step: Step, tokens: number): Promise<number>;
  /** The work was done. Returns its total cost. */
  settle(workspaceId: string, run: string, reason: string): Promise<number>;
  /** The work failed or was abandoned. Returns the total returned; 0 if it was settled before. */
  giveBack(workspaceId: string, run: string, reason: string): Promise<number>;
  settleStep(step: Step, reason: string): Promise<number>;
  giveBackStep(step: Step, reason: string): Promise<number>;
  noteCost(cost: CallCost): Promise<void>;
}

/**
 * With a product's transaction, transfers become part of it. A refused hold aborts that transaction, as every error in
 * PostgreSQL does: hold first, or in a separate transaction.
 */
export function createLedger(sql: Sql | Transaction, clock: Clock): Ledger {
  return {
    open: async (workspaceId, userId) =>
      number(
        await sql<Answer[]>`select billing.open_account(${workspaceId}, ${userId}, ${clock.now()}) as value`,
      ),
    async balance(workspaceId, userId) {
      const [user] = await sql<{ balance: number }[]>`
        select balance from billing.users where workspace_id = ${workspaceId} and id = ${userId}`;
      return user?.balance;
    },
    async hold({ workspaceId, userId, tokens, run, step, operation, note }) {
      try {
        const rows = await sql<Answer[]>`
          select billing.hold(${workspaceId}, ${userId}, ${tokens}, ${run}, ${step}, ${operation}, ${note ?? null}, ${clock.now()}) as value`;
        return { ok: true, balance: number(rows) };
      } catch (error) {
        const short = shortageOf(error);
        if (!short) throw error;
        return { ok: false, ...short };
      }
    },
    lower: async ({ workspaceId, run, step }, tokens) =>
      number(
        await sql<Answer[]>`
          select billing.lower_hold(${workspaceId}, ${run}, ${step}, ${tokens}, p_now => ${clock.now()}) as value`,
      ),
    settle: async (workspaceId, run, reason) =>
      number(
        await sql<Answer[]>`
          select billing.settle_run(${workspaceId}, ${run}, ${reason}, ${clock.now()}) as value`,
      ),
    giveBack: async (workspaceId, run, reason) =>
      number(
        await sql<Answer[]>`
          select billing.return_run(${workspaceId}, ${run}, ${reason}, ${clock.now()}) as value`,
      ),
    settleStep: async ({ workspaceId, run, step }, reason) =>
      number(
        await sql<Answer[]>`
          select billing.settle_hold(${workspaceId}, ${run}, ${step}, ${reason}, ${clock.now()}) as value`,
      ),
    giveBackStep: async ({ workspaceId, run, step }, reason) =>
      number(
        await sql<Answer[]>`
          select billing.return_hold(${workspaceId}, ${run}, ${step}, ${reason}, ${clock.now()}) as value`,
      ),
    async noteCost(cost) {
      await sql`
        select billing.note_cost(${cost.workspaceId}, ${cost.userId}, ${`api_${cost.provider}`}, ${cost.callId}, ${cost.costUsd},
          ${cost.operation ?? null}, ${cost.run ?? null}, ${cost.model ?? null}, ${cost.inputTokens ?? null},
          ${cost.outputTokens ?? null}, null, ${clock.now()})`;
    },
  };
}

interface Answer {
  readonly value: number;
}

function number([row]: readonly Answer[]): number {
  if (row === undefined) throw new Error("the books gave no answer");
  return row.value;
}
