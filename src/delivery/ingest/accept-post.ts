import type { Clock } from "../../kernel/clock/index.ts";
import type { Sql } from "../../kernel/db/index.ts";
import { uuidv7 } from "../../kernel/ids/index.ts";
import type { Platforms } from "../../platforms/index.ts";
import type { PushBody } from "./body.ts";
import { compileForProfiles, type Profile } from "./compile-for-profiles.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Unrouted } from "./unrouted.ts";
import { withText } from "./with-text.ts";

export interface IngestDeps {
  readonly sql: Sql;
  readonly platforms: Platforms;
  readonly clock: Clock;
}

export interface Accepted {
  readonly ok: true;
  readonly run_id: string;
  readonly message_id: string;
  readonly queued: number;
  readonly deduped: number;
  readonly failed_permanent: number;
  readonly skipped_inflight: number;
  /** Only when no channel takes it. */
  readonly unrouted?: Unrouted;
}

export interface Dropped {
  readonly ok: true;
  readonly run_id: string;
  readonly dropped: true;
  readonly reason: "ingress_dedup_dropped";
}

/**
 * Carries a valid post from its endpoint into the queue: normalised in SQL, compiled here, enqueued in SQL.
 * `payloadRef` is where its body is kept as it came, if it is.
 */
export async function acceptPost(
  body: PushBody,
  endpoint: Pick<Endpoint, "workspaceId" | "endpointId">,
  deps: IngestDeps,
  payloadRef?: string,
): Promise<Accepted | Dropped> {
  const { sql, platforms, clock } = deps;
  const raw = sql.json(JSON.parse(JSON.stringify(body)));
  const [prepared] = await sql<[{ payload: unknown; profiles: Profile[] }]>`
    select payload, profiles from delivery.prepare_post(${endpoint.workspaceId}, ${raw})`;
  const renderings = compileForProfiles(
    withText(prepared.payload, body.rendered_text),
    prepared.profiles,
    platforms,
  );
  const [row] = await sql<[{ answer: Accepted | Dropped }]>`
    select delivery.accept_push(
      ${endpoint.workspaceId}, ${endpoint.endpointId}, ${uuidv7(clock)}, ${raw},
      ${sql.json(JSON.parse(JSON.stringify(renderings)))}, ${payloadRef ?? null}, ${clock.now()}) as answer`;
  return row.answer;
}

/** Why a request was turned away: the counter of its run, and the event it leaves. */
const drops = {
  payload_rejected: "ingress_payload_rejected",
  rate_limited: "ingress_rate_limited",
  malformed: "ingress_payload_rejected",
} as const;

export interface Drop {
  readonly why: keyof typeof drops;
  readonly details?: Readonly<Record<string, string | number>>;
  readonly payloadRef?: string | undefined;
}

/** Notes a request that was refused before it became a post. */
export async function recordDrop(
  { why, details = {}, payloadRef }: Drop,
  endpoint: Endpoint,
  { sql, clock }: Pick<IngestDeps, "sql" | "clock">,
): Promise<void> {
  // A malformed body leaves no event, unless it is kept: then the event leads to it.
  const action = why === "malformed" && !payloadRef ? null : drops[why];
  await sql`
    select delivery.record_ingress_drop(
      ${endpoint.workspaceId}, ${endpoint.endpointId}, ${uuidv7(clock)}, ${why}, ${action},
      ${sql.json(why === "malformed" ? { ...details, reason: "malformed" } : details)}, ${payloadRef ?? null}, ${clock.now()})`;
}

/** How long the sender has to wait for the endpoint's rate; zero when the request may pass. */
export async function waitForRate(
  endpoint: Endpoint,
  { sql, clock }: Pick<IngestDeps, "sql" | "clock">,
): Promise<number> {
  const [row] = await sql<[{ wait_ms: number }]>`
    select extract(epoch from delivery.take_ingress_token(
      ${endpoint.workspaceId}, ${endpoint.endpointId}, ${clock.now()}))::float8 * 1000 as wait_ms`;
  return row.wait_ms;
}
