/** Flows that were left before their end, and may be resumed for a while. */
import { z } from "zod";
import type { Transaction } from "../../kernel/db/index.ts";
import type { Flow } from "../flow/flow.ts";
import { isWait } from "../flow/graph.ts";
import type { BotKey } from "./dialogue.ts";
import { storable } from "./dialogue.ts";
import type { Scene } from "./render.ts";

const stored = z.record(z.string(), z.unknown());
const rowShape = z.object({
  flow: z.string(),
  state: z.string(),
  data: stored,
  trail: z.array(z.string()),
  again: z.object({ state: z.string(), data: stored }).nullable(),
  kept_until: z.date(),
});
export type KeptRow = z.infer<typeof rowShape>;

/** What is kept of one chat, in the step's transaction. */
export interface KeptFlows {
  find(flow: string): Promise<KeptRow | undefined>;
  /** By what it waits for. */
  waiting(on: string): Promise<KeptRow | undefined>;
  take(flow: string): Promise<KeptRow | undefined>;
  put(scene: Scene<never>, until: Date): Promise<void>;
  /** How the person wanted to begin the flow. */
  setAgain(flow: string, again: { state: string; data: object }): Promise<void>;
}

const hour = 3_600_000;

export function keptFlows(
  tx: Transaction,
  { workspaceId, bot }: BotKey,
  chatId: string,
  now: Date,
): KeptFlows {
  const mine = tx`workspace_id = ${workspaceId} and bot = ${bot} and chat_id = ${chatId}`;
  const columns = tx`flow, state, data, trail, again, kept_until`;
  const read = (row: unknown) => (row === undefined ? undefined : rowShape.parse(row));
  return {
    async find(flow) {
      const [row] = await tx`
        select ${columns} from dialogs.kept where ${mine} and flow = ${flow} and kept_until > ${now}`;
      return read(row);
    },
    async waiting(on) {
      const [row] = await tx`
        select ${columns} from dialogs.kept where ${mine} and waits_on = ${on} and kept_until > ${now}`;
      return read(row);
    },
    async take(flow) {
      const [row] = await tx`delete from dialogs.kept where ${mine} and flow = ${flow} returning ${columns}`;
      return read(row);
    },
    async put({ flow, state, data, trail }, until) {
      const now = flow.states[state];
      const waitsOn = now && isWait(now) ? now.wait.on(data) : null;
      await tx`
        insert into dialogs.kept (workspace_id, bot, chat_id, flow, state, data, trail, waits_on, kept_until)
        values (${workspaceId}, ${bot}, ${chatId}, ${flow.name}, ${state}, ${json(data)}::text::jsonb, ${[...trail]},
          ${waitsOn}, ${until})
        on conflict (workspace_id, bot, chat_id, flow) do update set
          state = excluded.state, data = excluded.data, trail = excluded.trail, waits_on = excluded.waits_on,
          again = null, kept_until = excluded.kept_until`;
    },
    async setAgain(flow, again) {
      await tx`update dialogs.kept set again = ${json(again)}::text::jsonb where ${mine} and flow = ${flow}`;
    },
  };
}

export function keptUntil(hours: number, now: Date): Date {
  return new Date(now.getTime() + hours * hour);
}

/** Undefined if this release no longer knows what is kept. */
export function sceneOfKept<Services>(
  { flow: name, state, data, trail }: KeptRow,
  flows: ReadonlyMap<string, Flow<Services>>,
): Scene<Services> | undefined {
  const flow = flows.get(name);
  if (!flow || !Object.hasOwn(flow.states, state)) return undefined;
  const read = flow.data.safeParse(data);
  return read.success ? { flow, state, data: read.data, trail } : undefined;
}

function json(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "string" ? storable(inner) : inner));
}
