import { enqueue, enqueueCalls, idleDispatcher, prepareStand, type Stand } from "../../shared/molva.ts";
import type { Server } from "../../shared/postgres.ts";
import { type Contestant, deliveriesOf, type Load, timed } from "./contestant.ts";

const concurrency = Number(process.env.BENCH_CONCURRENCY ?? 1000);

export const molva: Contestant = {
  name: "molva",
  settings: `concurrency ${concurrency}, full audit trail`,
  async drain(server, load) {
    const stand = await prepareStand(await server.database(), load.channels);
    const calls = await enqueueCalls(stand, load.posts);
    await enqueue(stand, calls);
    const seconds = await drainStand(server, stand, load);
    await stand.close();
    return seconds;
  },
};

/** Sends everything that waits on the stand, and makes sure that the trail tells all of it. */
export async function drainStand(server: Server, stand: Stand, load: Load): Promise<number> {
  const { sql, workspaceId } = stand;
  const expected = deliveriesOf(load);
  let sent = 0;
  const began = new Date();
  const dispatcher = idleDispatcher(sql, concurrency, () => {
    sent += 1;
  });
  const seconds = await timed(
    server,
    () => dispatcher.start(),
    async () => sent >= expected && !(await anyLive(stand)),
  );
  await dispatcher.stop();
  const [trail] = await sql<[{ attempts: number; results: number }]>`
    select count(*) filter (where action = 'send_attempt')::int as attempts, count(*) filter (where action = 'sent')::int as results
    from delivery.events where workspace_id = ${workspaceId} and ts >= ${began}`;
  if (sent !== expected || trail.attempts !== expected || trail.results !== expected)
    throw new Error(`${expected} deliveries, but ${sent} sends and the trail says ${JSON.stringify(trail)}`);
  return seconds;
}

async function anyLive({ sql, workspaceId }: Stand): Promise<boolean> {
  const [{ live }] = await sql<[{ live: boolean }]>`
    select exists (
      select from delivery.deliveries
      where workspace_id = ${workspaceId} and status in ('queued', 'claimed', 'sending', 'retry')) as live`;
  return live;
}
