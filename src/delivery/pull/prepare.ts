import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import {
  DeadlineExceeded,
  type GuardedClient,
  type GuardedSockets,
  withDeadline,
} from "../../kernel/outbound/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import type { Credentials } from "../../workspaces/index.ts";
import { type PreparedPost, prepareAndCompile } from "../ingest/prepare-and-compile.ts";
import { type Chosen, choose } from "./choose.ts";
import { unseenRefs } from "./ledger.ts";
import { type Listed, listSource } from "./list-source.ts";
import type { PullItem } from "./pull-item.ts";
import { type ListingLimits, pullLimits } from "./pull-limits.ts";
import { failed, type Source } from "./source.ts";

/** The part of a run that only reads: what a source lists, what of it is new, what channels would show. */

export interface ReadDeps {
  readonly sql: Sql;
  readonly clock: Clock;
  /** The guarded client, because addresses come from users. */
  readonly http: GuardedClient;
  readonly sockets: GuardedSockets;
  readonly platforms: Platforms;
  readonly credentials: Pick<Credentials, "token">;
  /** The defaults if absent. */
  readonly limits?: ListingLimits;
}

/** Lists the source with its secret, within the time limit of a listing. */
export async function listNow(source: Source, deps: ReadDeps, signal: AbortSignal) {
  const { http, sockets, clock, credentials, limits = pullLimits.listing } = deps;
  const secret = source.secretRef ? await credentials.token(source.workspaceId, source.secretRef) : undefined;
  return withDeadline(limits.wholeMs, signal, async (within) => {
    const listing = await listSource(source, {
      ...{ http, sockets, secret, now: clock.now(), limits },
      signal: within,
    });
    // Whatever error the interruption caused: the reason is the time limit.
    if (within.reason instanceof DeadlineExceeded && listing.kind !== "listed")
      return failed("source_timeout", `the source was not read within ${limits.wholeMs / 1000} s`);
    return listing;
  });
}

/** The new items of a list, with the decision for each. */
export async function chooseNew(
  listing: Listed,
  source: Source,
  { sql, clock }: ReadDeps,
): Promise<Chosen[]> {
  const { max_items_first_run, skip_older_than_hours: hours } = listing.config;
  const refs = listing.candidates.map(({ ref }) => ref);
  return choose(listing.candidates, {
    unseen: await unseenRefs(sql, source, refs),
    ...(source.cursor.baseline !== true && { firstRun: max_items_first_run }),
    ...(hours !== undefined && { notBefore: new Date(clock.now().getTime() - hours * 3_600_000) }),
    ...(source.forgottenUpTo && { forgottenUpTo: source.forgottenUpTo }),
  });
}

/** The item's post in the form for enqueueing; null if it is not posted, or if it has an error, which the chunk reports. */
export async function preparedItem(
  item: PullItem,
  workspaceId: string,
  { sql, platforms }: Pick<ReadDeps, "sql" | "platforms">,
): Promise<PreparedPost | null> {
  if ("seen_only" in item || "invalid" in item) return null;
  const prepared = await prepareAndCompile(sql, workspaceId, item, platforms);
  return "fault" in prepared ? null : prepared;
}
