/** Texts on their way to a network that fails: published as a person does it, tried, and given up when nobody waits any longer. */
import { stopWaiting } from "../../../src/delivery/addressed/stop-waiting.ts";
import { personWaitsMs } from "../../../src/delivery/index.ts";
import { silentLog } from "../../../src/kernel/log/index.ts";
import { decideDeps } from "../../../src/seo/bot/articles/review-states.ts";
import { pictureKey, readPicture } from "../../../src/seo/pictures/stored-files.ts";
import { publishPost } from "../../../src/seo/posts/decide-post.ts";
import { publishArticle } from "../../../src/seo/publish/decide-article.ts";
import { type RunDetail, readRun } from "../../../src/seo/runs/read-runs.ts";
import type { FaultKind } from "../../../twins/index.ts";
import { until } from "../../support/until.ts";
import type { Work } from "../walk-runs.ts";
import type { FaultyWorld } from "./faulty-world.ts";

/** What is published where. */
export const deliveries = {
  ...{ article: "wordpress", post: "telegram", crossPost: "vk", pin: "pinterest" },
} as const satisfies Partial<Record<Work, string>>;
type Delivered = keyof typeof deliveries;

const held = 40;

export interface Delivery {
  readonly work: Delivered;
  readonly run: RunDetail;
}

/** Publishes one text everywhere while all networks fail in the same way. Returns how it ended. */
export async function publishedWhile(faulty: FaultyWorld, fault: FaultKind): Promise<Delivery[]> {
  const { world, runs } = faulty;
  const { services, whose, sql } = world;
  await world.connectAgain();
  // What the fault before has slowed down.
  await sql`update delivery.platform_limits set cooldown_until = null`;
  const copies: { readonly work: Delivered; readonly runId: string }[] = [];
  for (const work of Object.keys(deliveries) as Delivered[])
    copies.push({ work, runId: await runs.copy(work, { status: "review", held }) });
  const ids = copies.map(({ runId }) => runId);
  await faulty.failing(Object.values(deliveries), fault, async () => {
    const deps = decideDeps(services);
    for (const { work, runId } of copies)
      await (work === "article" ? publishArticle(deps, whose, runId) : publishPost(deps, whose, runId));
    await until("every delivery was tried", () => areAll(faulty, ids, "d.last_error is not null"));
  });
  await nobodyWaits(faulty, ids);
  await endRuns(faulty);
  return Promise.all(
    copies.map(async ({ work, runId }) => ({
      work,
      run: await readRun(sql, whose.workspaceId, runId, whose.userId),
    })),
  );
}

/** What is published waits until the returned function is called: nothing goes out by itself meanwhile. */
export async function holdDeliveries({ world: { sql } }: FaultyWorld): Promise<() => Promise<void>> {
  await sql.unsafe(`
    create function delivery.hold_all() returns trigger language plpgsql as $$
      begin new.held_at := now(); new.hold_reason := 'a walk'; return new; end $$;
    create trigger hold_all before insert on delivery.deliveries for each row execute function delivery.hold_all()`);
  return async () => {
    await sql.unsafe("drop trigger hold_all on delivery.deliveries; drop function delivery.hold_all()");
  };
}

/** What fails is deleted with its pictures, which all copies of a work share: they are put back. */
export async function keptPictures({ world, runs }: FaultyWorld): Promise<() => Promise<void>> {
  const { services, whose, sql } = world;
  const { storage } = services.articles;
  const kept = new Map<string, { readonly bytes: Buffer; readonly contentType: string }>();
  for (const work of Object.keys(deliveries) as Delivered[]) {
    const rows = await sql<{ storage_path: string; media_type: string }[]>`
      select p ->> 'storage_path' as storage_path, p ->> 'media_type' as media_type
      from seo.runs r cross join lateral jsonb_array_elements(r.result -> 'pictures') p where r.id = ${await runs.template(work)}`;
    for (const { storage_path, media_type: contentType } of rows) {
      const bytes = await readPicture(storage, whose.workspaceId, storage_path);
      if (bytes) kept.set(pictureKey(whose.workspaceId, storage_path), { bytes, contentType });
    }
  }
  return async () => {
    for (const [key, { bytes, contentType }] of kept) await storage.put(key, bytes, { contentType });
  };
}

type Condition = "d.last_error is not null" | "a.told is not null";

async function areAll(
  { world: { sql } }: FaultyWorld,
  runs: readonly string[],
  condition: Condition,
): Promise<boolean> {
  const open = await sql`
    select from delivery.addressed_deliveries a join delivery.deliveries d using (workspace_id, delivery_id)
    where a.run = any(${[...runs]}) and not (${sql.unsafe(condition)})`;
  return open.length === 0;
}

/** Three minutes later: what was not sent is called off, and what may have arrived is looked up. */
async function nobodyWaits(faulty: FaultyWorld, runs: readonly string[]): Promise<void> {
  const { sql, whose } = faulty.world;
  await sql`update delivery.addressed_deliveries set wait_until = now() where run = any(${[...runs]})`;
  await until("every delivery has ended", async () => {
    await stopWaiting(sql, new Date(Date.now() + personWaitsMs));
    await sql`
      update delivery.deliveries d set next_retry_at = now() from delivery.addressed_deliveries a
      where a.workspace_id = d.workspace_id and a.delivery_id = d.delivery_id and a.run = any(${[...runs]}) and d.status = 'retry'
        and d.next_retry_at > now()`;
    await sql`select pg_notify('molva_deliveries', ${whose.workspaceId})`;
    return areAll(faulty, runs, "a.told is not null");
  });
}

/** Does the jobs by which runs learn of the end of their deliveries. */
async function endRuns({ world: { sql, services } }: FaultyWorld): Promise<void> {
  const jobs = await sql<{ id: string; payload: unknown }[]>`
    select j.id, j.payload from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = ${services.publishedTask.name} order by j.id`;
  const context = { log: silentLog, signal: new AbortController().signal };
  for (const { payload } of jobs) await services.publishedTask.perform(payload, context);
  await sql`delete from graphile_worker._private_jobs where id = any(${jobs.map(({ id }) => id)})`;
}
