import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import { createLines } from "./lines.ts";

/** Work on one file that must not be done twice at once: fetching it, or uploading it for an account. */
export interface ClaimKey {
  readonly workspaceId: string;
  readonly blobRef: string;
  readonly purpose: string;
}

export type Claimed<T> =
  | { readonly kind: "held"; release(): Promise<void> }
  /** Somebody else has done the work in the meantime. */
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "busy" };

export interface Claims {
  /** Waits for the claim until `deadline` at most, unless `done` finds that the work has been done by then. */
  acquire<T>(key: ClaimKey, done: () => Promise<T | undefined>, deadline: number): Promise<Claimed<T>>;
  /** Until when a caller who begins now may wait, in milliseconds of `performance.now()`. */
  deadline(): number;
}

export interface ClaimTimes {
  /** A dead holder is noticed after this time. */
  readonly leaseSeconds: number;
  readonly renewEveryMs: number;
  readonly askEveryMs: number;
  readonly patienceMs: number;
}

/** Waiting, a fetch and an upload together are shorter than a delivery's sending lease. */
export const claimTimes: ClaimTimes = {
  leaseSeconds: 30,
  renewEveryMs: 10_000,
  askEveryMs: 100,
  patienceMs: 45_000,
};

/**
 * Claims are rows, so that they work between processes without occupying a connection. Within the process callers queue, and
 * only the first of them asks the database.
 */
export function createClaims({ sql, clock }: { sql: Sql; clock: Clock }, times = claimTimes): Claims {
  const lines = createLines();

  const take = async ({ workspaceId, blobRef, purpose }: ClaimKey, holder: string): Promise<boolean> => {
    const [row] = await sql<[{ taken: boolean }]>`
      select delivery.media_claim(
        ${workspaceId}, ${blobRef}, ${purpose}, ${holder}, ${times.leaseSeconds}, ${clock.now()}) as taken`;
    return row.taken;
  };
  const renew = async ({ workspaceId, blobRef, purpose }: ClaimKey, holder: string): Promise<void> => {
    await sql`
      select delivery.media_renew(
        ${workspaceId}, ${blobRef}, ${purpose}, ${holder}, ${times.leaseSeconds}, ${clock.now()})`;
  };

  /** Keeps the claim alive until it is released. */
  function hold(key: ClaimKey, holder: string, leave: () => void): Claimed<never> {
    // A failed renewal does no harm: the lease outlives two of them.
    const renewal = setInterval(() => void renew(key, holder).catch(() => {}), times.renewEveryMs);
    return {
      kind: "held",
      async release() {
        clearInterval(renewal);
        try {
          await sql`
            select delivery.media_release(${key.workspaceId}, ${key.blobRef}, ${key.purpose}, ${holder})`;
        } finally {
          leave();
        }
      },
    };
  }

  return {
    deadline: () => performance.now() + times.patienceMs,
    async acquire(key, done, deadline) {
      const leave = await lines.enter(JSON.stringify(key), Math.max(0, deadline - performance.now()));
      if (!leave) return { kind: "busy" };
      const holder = uuidv7(clock);
      try {
        for (;;) {
          const before = await done();
          if (before !== undefined) return left(leave, { kind: "done", value: before });
          if (await take(key, holder)) break;
          if (performance.now() > deadline) return left(leave, { kind: "busy" });
          await delay(times.askEveryMs);
        }
      } catch (error) {
        leave();
        throw error;
      }
      const claim = hold(key, holder, leave);
      // Another process may have finished between the check and the claim.
      const meanwhile = await done().catch(async (error: unknown) => {
        await release(claim);
        throw error;
      });
      if (meanwhile === undefined) return claim;
      await release(claim);
      return { kind: "done", value: meanwhile };
    },
  };
}

function left<T>(leave: () => void, result: T): T {
  leave();
  return result;
}

async function release(claim: Claimed<unknown>): Promise<void> {
  if (claim.kind === "held") await claim.release();
}
