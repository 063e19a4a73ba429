import type { Transaction } from "../../kernel/db/index.ts";
import { type Charge, holdingTokens, type Short, sumOf } from "./hold-tokens.ts";
import { type Counted, limits } from "./limits.ts";
import { enqueueRun, type RunDeps } from "./run-deps.ts";
import type { RunKind } from "./run-kind.ts";

export interface Order<Input> {
  readonly workspaceId: string;
  readonly userId: number;
  readonly input: Input;
  /** What is held for it, a step of billing each; none for those who pay nothing. */
  readonly charges: readonly Charge[];
  /** What it counts for the limits of an hour. */
  readonly counts?: Partial<Record<Counted, number>>;
  readonly origin?: "person" | "schedule";
  /** Whoever orders it works on it, too: no job is enqueued. */
  readonly inHand?: boolean | undefined;
  /** A repeat with the same key gets the first run. */
  readonly requestKey?: string | undefined;
  readonly projectId?: number | undefined;
  readonly categoryId?: number | undefined;
  readonly connectionId?: number | undefined;
  /** Writes that belong to the beginning: they and the run are one transaction. */
  readonly also?: ((tx: Transaction, runId: string) => Promise<void>) | undefined;
}

/** Nothing was written, held or counted unless `ok`. */
export type Begun =
  | {
      readonly ok: true;
      readonly runId: string;
      readonly repeated: boolean;
      /** What is held for it. */
      readonly tokens: number;
    }
  | {
      readonly ok: false;
      readonly reason: "limited";
      readonly counted: Counted;
      readonly limit: number;
      readonly againAt: Date;
    }
  | Short;

/** Begins a run: checks the limits, holds its tokens and enqueues its work, all or nothing. */
export async function beginRun<Input>(
  deps: RunDeps,
  { kind, input: schema }: RunKind<Input, unknown>,
  order: Order<Input>,
): Promise<Begun> {
  const { clock } = deps;
  const { workspaceId, userId, charges, counts = {} } = order;
  const run = {
    kind,
    origin: order.origin,
    request_key: order.requestKey,
    project_id: order.projectId,
    category_id: order.categoryId,
    connection_id: order.connectionId,
    input: schema.parse(order.input),
    ...counts,
  };
  return holdingTokens(deps, { workspaceId, userId, charges }, async (tx, hold): Promise<Begun> => {
    const [begun] = await tx<[BegunRow]>`
      select * from seo.begin_run(${workspaceId}, ${userId}, ${JSON.stringify(run)}::text::jsonb,
        ${JSON.stringify(limits)}::text::jsonb, ${clock.now()})`;
    if (begun.limited !== null)
      return {
        ...{ ok: false, reason: "limited", counted: begun.limited, againAt: begun.again_at },
        limit: limits[begun.limited],
      };
    const { run_id: runId, repeated } = begun;
    if (repeated) return { ok: true, runId, repeated, tokens: sumOf(charges) };
    const tokens = await hold(runId);
    await order.also?.(tx, runId);
    if (!order.inHand) await enqueueRun(deps, tx, workspaceId, runId);
    return { ok: true, runId, repeated, tokens };
  });
}

interface BegunRow {
  readonly run_id: string;
  readonly repeated: boolean;
  readonly limited: Counted | null;
  readonly again_at: Date;
}
