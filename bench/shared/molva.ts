import { createDispatcher } from "../../src/delivery/index.ts";
import { prepareAndCompile } from "../../src/delivery/ingest/prepare-and-compile.ts";
import { systemClock } from "../../src/kernel/clock/index.ts";
import { connect, migrate, readMigrationSources, type Sql } from "../../src/kernel/db/index.ts";
import { runWorkerMigrations } from "../../src/kernel/jobs/index.ts";
import { createLog } from "../../src/kernel/log/index.ts";
import { createMetrics } from "../../src/kernel/metrics/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";
import type { Service } from "../../src/kernel/service/index.ts";
import { createPlatforms, noMedia, type Platform, type Platforms } from "../../src/platforms/index.ts";
import { postText } from "./posts.ts";

/** A workspace with channels that take every post, without a rate, and whatever else the measurement wants beside them. */
export interface Harness {
  readonly sql: Sql;
  readonly workspaceId: string;
  close(): Promise<void>;
}

export async function prepareHarness(url: string, channels: number, connections = 10): Promise<Harness> {
  const sql = connect({ url, max: connections });
  await migrate(sql, await readMigrationSources());
  await runWorkerMigrations(url);
  await sql`select workspaces.ensure_event_partitions(1)`;
  const [{ workspace_id: workspaceId }] = await sql<[{ workspace_id: string }]>`
    insert into workspaces.workspaces (name) values ('bench') returning workspace_id`;
  await sql`
    insert into workspaces.credential_bindings (workspace_id, auth_ref, platform, secret_ref)
    values (${workspaceId}, 'bench', 'telegram', 'env:BENCH')`;
  await sql`
    insert into delivery.channels (workspace_id, platform, target_id, auth_ref, rate_group, rate_rps, max_parallel)
    select ${workspaceId}, 'telegram', '-100' || n, 'bench', 'bench', null, 1000000 from generate_series(1, ${channels}::int) n`;
  // Channels are configured long before they are used, so their statistics exist.
  await sql`analyze delivery.channels`;
  return { sql, workspaceId, close: () => sql.end({ timeout: 5 }) };
}

/** One call of enqueue: the post as its sender gave it, and what each kind of channel gets of it. */
export interface EnqueueCall {
  readonly raw: string;
  readonly compiled: string;
}

/** The calls are made beforehand: compiling is measured with the latency, not with the queue. */
export async function enqueueCalls(
  { sql, workspaceId }: Harness,
  posts: number,
  first = 1,
): Promise<EnqueueCall[]> {
  const platforms = idlePlatforms(() => undefined);
  const calls: EnqueueCall[] = [];
  for (let number = first; number < first + posts; number++) {
    const raw = { payload: { type: "text", text: postText(number) } };
    const prepared = await prepareAndCompile(sql, workspaceId, raw, platforms);
    if ("fault" in prepared) throw new Error(prepared.fault);
    calls.push({ raw: JSON.stringify(raw), compiled: JSON.stringify(prepared.compiled) });
  }
  return calls;
}

export async function enqueue({ sql, workspaceId }: Harness, calls: readonly EnqueueCall[]): Promise<void> {
  for (const { raw, compiled } of calls)
    await sql`
      select delivery.enqueue_messages_and_deliveries(
        ${workspaceId}, null, 'webhook_push', ${raw}::text::jsonb, ${new Date()}, ${compiled}::text::jsonb)`;
}

/** Platforms that compile as always and whose sends succeed at once without doing anything. */
export function idlePlatforms(onSend: () => void): Platforms {
  const real = createPlatforms({ TELEGRAM_API_ROOT: "http://127.0.0.1", MAX_API_ROOT: "http://127.0.0.1" });
  let sent = 0;
  const idle = (platform: Platform): Platform => ({
    name: platform.name,
    limits: platform.limits,
    compile: platform.compile,
    preview: platform.preview,
    check: platform.check,
    async send() {
      sent += 1;
      onSend();
      return { kind: "sent", providerMessageId: String(sent), raw: {} };
    },
  });
  const all = real.all.map(idle);
  return {
    ...real,
    all,
    platformOf(name) {
      const found = all.find((platform) => platform.name === name);
      if (!found) throw new Error(`there is no platform ${name}`);
      return found;
    },
  };
}

/** The product's own dispatcher; only the network is missing. */
export function idleDispatcher(sql: Sql, concurrency: number, onSend: () => void): Service {
  return createDispatcher({
    sql,
    concurrency,
    sendingLeaseSeconds: 300,
    sendTimeoutSeconds: 30,
    platforms: idlePlatforms(onSend),
    clock: systemClock,
    log: createLog({ level: "warn" }),
    metrics: createMetrics(),
    http: createProviderClient({ defaultTimeoutMs: 1_000 }),
    media: () => noMedia,
    credentials: { ofPlatform: async () => ({ kind: "ready", credential: { token: "bench" } }) },
    payloads: { save: async () => "nowhere" },
  });
}
