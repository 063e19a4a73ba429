import type { Service } from "../../kernel/service/index.ts";
import { createWorker, idle } from "../../kernel/worker/index.ts";
import { type Claims, createClaims } from "./claims.ts";
import { isFileError } from "./file-errors.ts";
import { lookUp, type MediaDeps, stored } from "./originals.ts";

/** How many files are fetched at the same time; one workspace gets at most all but one of these places. */
const atOnce = 4;
const safetyNetMs = 30_000;
const retryAfterMs = 5 * 60_000;

/**
 * Copies the files of new posts into the storage as soon as the posts have come, long before some of them are sent: an address
 * may be gone by then. Any number of processes may run one, and a post that is sent sooner does not wait for it.
 */
export function createMediaKeeper(deps: MediaDeps): Service {
  const { sql, log } = deps;
  const claims = createClaims(deps);
  return createWorker<Expected>({
    name: "media keeper",
    log,
    trouble: "the files of new posts could not be kept",
    notices: { sql, channel: "molva_media" },
    places: atOnce,
    safetyNetMs,
    async round({ jobs, free, begin }) {
      const busy = jobs.map(({ workspace_id }) => workspace_id);
      const expected = free > 0 ? await takeExpected(deps, busy) : [];
      expected.forEach(begin);
      return expected.length > 0 ? 0 : idle;
    },
    async run(file, signal) {
      const request: MediaDeps["http"]["request"] = (wanted) => deps.http.request({ ...wanted, signal });
      try {
        await keep(file, claims, { ...deps, http: { ...deps.http, request } });
      } catch (error) {
        // It is retried later; the other files do not wait for that.
        if (!signal.aborted) log.error({ err: error }, "a file of a new post could not be kept");
      }
    },
  });
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
  if (!kept || !isFileError(kept)) return;
  deps.log.info({ blob_ref, fault: kept.message }, "a file that a post names could not be kept");
  if (kept.category === "PERMANENT")
    await deps.sql`select delivery.media_give_up(${workspace_id}, ${blob_ref})`;
}
