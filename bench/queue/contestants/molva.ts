import {
  type EnqueueCall,
  enqueue,
  enqueueCalls,
  type Harness,
  idleDispatcher,
  prepareHarness,
} from "../../shared/molva.ts";
import { settings } from "../settings.ts";
import { type Contestant, deliveriesOf, type Load, timed } from "./contestant.ts";

const { concurrency, connections } = settings.molva;

export const molva: Contestant = {
  name: "Molva",
  settings: `concurrency ${concurrency}, full audit trail`,
  async drain(databaseUrl, load) {
    const harness = await prepareHarness(databaseUrl, load.channels, connections);
    await enqueue(harness, await enqueueCalls(harness, load.posts));
    const seconds = await drainHarness(harness, deliveriesOf(load));
    await harness.close();
    return seconds;
  },
};

/** Sends everything that is queued on the harness, and checks that the audit trail is complete. */
export async function drainHarness({ sql, workspaceId }: Harness, expected: number): Promise<number> {
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
export async function enqueueOnHarness(
  harness: Harness,
  calls: readonly EnqueueCall[],
  callers: number,
): Promise<number> {
  return timed(() =>
    Promise.all(
      Array.from({ length: callers }, (_, caller) =>
        enqueue(
          harness,
          calls.filter((_, index) => index % callers === caller),
        ),
      ),
    ),
  );
}

export async function enqueueMolva(databaseUrl: string, load: Load, callers: number): Promise<number> {
  const harness = await prepareHarness(databaseUrl, load.channels, callers);
  const seconds = await enqueueOnHarness(harness, await enqueueCalls(harness, load.posts), callers);
  await harness.close();
  return seconds;
}
