import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import type { PassedCap } from "../failures.ts";

/** The record of calls in SQL: what is reserved and what was spent. */
export interface Reservation {
  readonly workspaceId: string;
  readonly requestId?: string | undefined;
  readonly policy: string;
  readonly userId?: string | undefined;
  readonly kind: "text" | "object" | "stream" | "images";
  readonly prompt: string;
  readonly promptVersion: number;
  readonly usd: number | null;
  readonly tokens: number;
  readonly leaseMs: number;
  /** The stamp of the briefing that this was made from. */
  readonly stamp: string;
}

export type Reserved =
  | { readonly refused?: undefined; readonly call_id: string }
  | { readonly refused: "in_progress"; readonly until: string }
  | { readonly refused: "already_answered" }
  | { readonly refused: "budget"; readonly cap: PassedCap };

/** Nothing was done, because the briefing is outdated. */
export type MaybeReserved = Reserved | { readonly refused: "stale" };

export type Extended =
  | { readonly refused?: undefined }
  | { readonly refused: "expired" }
  | { readonly refused: "budget"; readonly cap: PassedCap };

/** A row of llm.requests. */
export interface RequestRow {
  readonly provider: string;
  readonly model: string;
  readonly purpose: "answer" | "repair";
  readonly outcome: string;
  readonly http_status: number | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly cached_tokens: number;
  readonly images: number;
  readonly cost_usd: number | null;
  readonly estimated: boolean;
  readonly latency_ms: number;
  readonly error: string | null;
  readonly started_at: string;
}

export interface BooksDeps {
  readonly sql: Sql;
  readonly clock: Clock;
}

export async function reserve({ sql, clock }: BooksDeps, held: Reservation): Promise<MaybeReserved> {
  const [row] = await sql<[{ outcome: MaybeReserved }]>`
    select llm.reserve_briefed_call(${held.stamp}, ${held.workspaceId}, ${held.requestId ?? null}, ${held.policy}, ${held.userId ?? null},
      ${held.kind}, ${held.prompt}, ${held.promptVersion}, ${held.usd}::numeric, ${held.tokens},
      ${`${held.leaseMs} milliseconds`}::interval, ${clock.now()}) as outcome`;
  return row.outcome;
}

export async function extend(
  { sql, clock }: BooksDeps,
  workspaceId: string,
  callId: string,
  more: { readonly usd: number | null; readonly tokens: number; readonly leaseMs: number },
): Promise<Extended> {
  const [row] = await sql<[{ outcome: Extended }]>`
    select llm.extend_call(${workspaceId}, ${callId}, ${more.usd}::numeric, ${more.tokens},
      ${`${more.leaseMs} milliseconds`}::interval, ${clock.now()}) as outcome`;
  return row.outcome;
}

export interface Settlement {
  readonly workspaceId: string;
  readonly callId: string;
  /** Why it failed; null when it was answered. */
  readonly code: string | null;
  readonly requests: readonly RequestRow[];
  readonly at: Date;
}

export async function settle({ sql }: Pick<BooksDeps, "sql">, calls: readonly Settlement[]): Promise<void> {
  const rows = calls.map(({ workspaceId, callId, code, requests, at }) => ({
    ...{ workspace_id: workspaceId, call_id: callId, code, requests, at },
  }));
  await sql`select from llm.settle_calls(${JSON.stringify(rows)}::text::jsonb)`;
}
