import {
  type EnqueueCall,
  enqueue,
  enqueueCalls,
  idleDispatcher,
  prepareStand,
  type Stand,
} from "../../shared/molva.ts";
import { settings } from "../settings.ts";
import { type Contestant, deliveriesOf, type Load, timed } from "./contestant.ts";

const { concurrency, connections } = settings.molva;

export const molva: Contestant = {
  name: "Molva",
  settings: `concurrency ${concurrency}, full audit trail`,
  async drain(databaseUrl, load) {
    const stand = await prepareStand(databaseUrl, load.channels, connections);
    await enqueue(stand, await enqueueCalls(stand, load.posts));
    const seconds = await drainStand(stand, deliveriesOf(load));
    await stand.close();
    return seconds;
  },
};

/** Sends everything that waits on the stand, and makes sure that the trail tells all of it. */
export async function drainStand({ sql, workspaceId }: Stand, expected: number): Promise<number> {
  let sent = 0;
  const began = new Date();
  const dispatcher = idleDispatcher(sql, concurrency, () => {
    sent += 1;
  });
  const anyLive = async () => {
    const live = await sql`
      select from delivery.deliveries
      where workspace_id = ${workspaceId} and status in ('queued', 'claimed', 'sending', 'retry') limit 1`;
    return live.length > 0;
  };
  const seconds = await timed(
    () => dispatcher.start(),
    async () => sent >= expected && !(await anyLive()),
  );
  await dispatcher.stop();

  const [trail] = await sql<[{ attempts: number; results: number }]>`
    select count(*) filter (where action = 'send_attempt')::int as attempts,
      count(*) filter (where action = 'sent')::int as results
    from workspaces.events where workspace_id = ${workspaceId} and ts >= ${began}`;
  if (sent !== expected || trail.attempts !== expected || trail.results !== expected)
    throw new Error(`${expected} deliveries, but ${sent} sends and the trail says ${JSON.stringify(trail)}`);
  return seconds;
}

/** One post per call, as many callers as connections. */
export async function enqueueOnStand(
  stand: Stand,
  calls: readonly EnqueueCall[],
  callers: number,
): Promise<number> {
  return timed(() =>
    Promise.all(
      Array.from({ length: callers }, (_, caller) =>
        enqueue(
          stand,
          calls.filter((_, index) => index % callers === caller),
        ),
      ),
    ),
  );
}

export async function enqueueMolva(databaseUrl: string, load: Load, callers: number): Promise<number> {
  const stand = await prepareStand(databaseUrl, load.channels, callers);
  const seconds = await enqueueOnStand(stand, await enqueueCalls(stand, load.posts), callers);
  await stand.close();
  return seconds;
}
