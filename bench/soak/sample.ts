import { rounded } from "../shared/figures.ts";
import type { SoakHarness } from "./harness.ts";

export interface Sample {
  readonly seconds: number;
  readonly memoryMb: number;
  /** Deliveries, messages and events with their indexes. */
  readonly tablesMb: number;
  readonly deadRows: number;
  readonly autovacuums: number;
  readonly sentPerSecond: number;
  /** From the post's acceptance until its delivery was settled, at the first attempt. */
  readonly p99Ms: number;
  readonly waiting: number;
}

export function createSampler({ sql, workspaceId }: SoakHarness, molvaUrl: string): () => Promise<Sample> {
  const began = performance.now();
  let since = new Date();

  return async () => {
    const until = new Date();
    const [sent] = await sql<[{ count: number; p99: number | null }]>`
      select count(*)::int,
        percentile_disc(0.99) within group (order by extract(epoch from sent_at - created_at)::float8 * 1000)
          filter (where attempt = 1) as p99
      from delivery.deliveries
      where workspace_id = ${workspaceId} and status = 'sent' and sent_at > ${since} and sent_at <= ${until}`;
    const [tables] = await sql<[{ bytes: number; dead: number; autovacuums: number }]>`
      select sum(pg_total_relation_size(relid))::float8 as bytes, sum(n_dead_tup)::int as dead,
        sum(autovacuum_count)::int as autovacuums
      from pg_stat_user_tables
      where schemaname = 'delivery' and relname similar to '(deliveries|messages|events%|ingress_receipts|ingest_runs)'`;
    const [queue] = await sql<[{ waiting: number }]>`
      select count(*)::int as waiting from delivery.deliveries
      where workspace_id = ${workspaceId} and status in ('queued', 'claimed', 'sending', 'retry')`;
    const seconds = (until.getTime() - since.getTime()) / 1_000;
    since = until;
    return {
      seconds: rounded((performance.now() - began) / 1_000, 0),
      memoryMb: rounded((await residentBytes(molvaUrl)) / 1024 / 1024, 1),
      tablesMb: rounded(tables.bytes / 1024 / 1024, 1),
      deadRows: tables.dead,
      autovacuums: tables.autovacuums,
      sentPerSecond: rounded(sent.count / seconds, 0),
      p99Ms: rounded(sent.p99 ?? Number.NaN, 0),
      waiting: queue.waiting,
    };
  };
}

async function residentBytes(molvaUrl: string): Promise<number> {
  const metrics = await (await fetch(`${molvaUrl}/metrics`)).text();
  return Number(/^molva_process_resident_memory_bytes ([\d.e+]+)/m.exec(metrics)?.[1]);
}
