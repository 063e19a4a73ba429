import { type Listener, listen } from "../../kernel/db/index.ts";
import { createStopController, type Service } from "../../kernel/service/index.ts";
import { createSignal } from "../dispatch/signal.ts";
import { type Claims, createClaims } from "./claims.ts";
import { isFault } from "./faults.ts";
import { lookUp, type MediaDeps, stored } from "./originals.ts";

/** How many files are fetched at the same time; all but one of them for the same workspace at most. */
const atOnce = 4;
const longestSleepMs = 30_000;
const retryAfterMs = 5 * 60_000;
const afterFailureMs = 1_000;

/**
 * Brings the files of new posts into the storage as soon as the posts have come, long before some of them are sent: an
 * address may be gone by then. Any number of processes may run one, and a post that is sent sooner does not wait for it.
 */
export function createMediaKeeper(deps: MediaDeps): Service {
  const { sql, clock, log } = deps;
  const wake = createSignal();
  let stopping = createStopController();
  let loop: Promise<void> | undefined;
  let listener: Listener | undefined;

  /** The files being fetched, each with its workspace. */
  const inHand = new Map<Promise<void>, string>();

  function begin(file: Expected, claims: Claims, breakable: MediaDeps): void {
    const work = keep(file, claims, breakable)
      .catch((error: unknown) => {
        if (!stopping.signal.aborted) log.error({ err: error }, "a file of a new post could not be kept");
      })
      .finally(() => {
        inHand.delete(work);
        wake.raise();
      });
    inHand.set(work, file.workspace_id);
  }

  async function run(claims: Claims, signal: AbortSignal): Promise<void> {
    const breakable: MediaDeps = {
      ...deps,
      http: { ...deps.http, request: (request) => deps.http.request({ ...request, signal }) },
    };
    while (!signal.aborted) {
      try {
        const expected = inHand.size < atOnce ? await takeExpected(deps, [...inHand.values()]) : [];
        for (const file of expected) begin(file, claims, breakable);
        if (expected.length === 0) await wake.wait(longestSleepMs);
      } catch (error) {
        if (signal.aborted) return;
        log.error({ err: error }, "the files of new posts could not be kept");
        await wake.wait(afterFailureMs);
      }
    }
  }

  return {
    name: "media keeper",
    async start() {
      stopping = createStopController();
      listener = await listen(sql, "molva_media", { onNotify: wake.raise, onReady: wake.raise });
      loop = run(createClaims({ sql, clock }), stopping.signal);
    },
    async stop() {
      stopping.abort();
      wake.raise();
      await loop;
      await Promise.all(inHand.keys());
      await listener?.close();
      listener = undefined;
    },
  };
}

interface Expected {
  readonly workspace_id: string;
  readonly blob_ref: string;
  readonly url: string;
}

async function takeExpected({ sql, clock }: MediaDeps, busy: readonly string[]): Promise<Expected[]> {
  const now = clock.now();
  const retryAt = new Date(now.getTime() + retryAfterMs);
  return sql<Expected[]>`
    select workspace_id, blob_ref, url from delivery.media_take_expected(${atOnce}, ${retryAt}, ${[...busy]}::uuid[], ${now})`;
}

async function keep(
  { workspace_id, blob_ref, url }: Expected,
  claims: Claims,
  deps: MediaDeps,
): Promise<void> {
  const now = deps.clock.now();
  const medium = { kind: "document", url, blobRef: blob_ref } as const;
  const asker = { workspaceId: workspace_id, account: "nobody", since: now };
  const [known] = await lookUp(deps.sql, [medium], asker, now);
  const kept = known && (await stored(medium, known, asker, claims, deps));
  if (!kept || !isFault(kept)) return;
  deps.log.info({ blob_ref, fault: kept.message }, "a file that a post names could not be kept");
  if (kept.category === "PERMANENT")
    await deps.sql`select delivery.media_give_up(${workspace_id}, ${blob_ref})`;
}
