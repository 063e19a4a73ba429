import { type ManualClock, manualClock } from "../../../kernel/clock/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { aWorkspace, enqueue } from "../../testing/builders.ts";

export interface StartedSend {
  readonly delivery_id: string;
  readonly token: string;
}

/** A workspace with its own clock, whose deliveries end as a test wants them to. */
export interface TroubledWorkspace {
  readonly id: string;
  readonly clock: ManualClock;
  post(text: string): Promise<void>;
  /** Starts everything that is due. */
  start(): Promise<StartedSend[]>;
  send(): Promise<void>;
  fail(error: { category: "TRANSIENT" | "PERMANENT"; scope: string; code: string }): Promise<void>;
  /** A post that fails with transient errors until its attempts are used up. */
  die(text: string): Promise<void>;
  events(action: string): Promise<Record<string, unknown>[]>;
}

export const minute = 60_000;
export const hour = 60 * minute;

export async function aTroubledWorkspace(sql: Sql, name = "Газета"): Promise<TroubledWorkspace> {
  const id = await aWorkspace(sql, { name });
  const clock = manualClock();

  async function settle(outcomes: object[]): Promise<void> {
    const json = sql.json(JSON.parse(JSON.stringify(outcomes)));
    await sql`select delivery.settle_deliveries(${id}, ${json}, ${clock.now()})`;
  }

  async function start(): Promise<StartedSend[]> {
    await sql`select delivery.claim_deliveries(${id}, 'test', 1000, ${clock.now()})`;
    const rows = await sql`select * from delivery.start_sending(${id}, 'test', 1000, ${clock.now()})`;
    return rows.map(({ delivery_id, claim_token }) => ({ delivery_id, token: claim_token }));
  }

  const workspace: TroubledWorkspace = {
    id,
    clock,
    async post(text) {
      await enqueue(sql, id, text, { now: clock.now() });
    },
    start,
    async send() {
      const started = await start();
      await settle(started.map((send) => ({ ...send, kind: "sent", provider_message_id: "1" })));
    },
    async fail(error) {
      const started = await start();
      const told = { message: "так не пойдёт", ...error };
      await settle(started.map((send) => ({ ...send, kind: "failed", error: told })));
    },
    async die(text) {
      await workspace.post(text);
      for (let attempt = 1; attempt <= 5; attempt++) {
        await workspace.fail({ category: "TRANSIENT", scope: "delivery", code: "upstream_unavailable" });
        if (attempt < 5) clock.advance(hour);
      }
    },
    events: async (action) => [
      ...(await sql`
        select * from workspaces.events where workspace_id = ${id} and action = ${action} order by ts, id`),
    ],
  };
  return workspace;
}
