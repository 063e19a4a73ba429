/** Walks every edge of every state through the engine and the database, and names those it could not walk. */
import { randomUUID } from "node:crypto";
import type { Sql } from "../../kernel/db/index.ts";
import type { Flow, Media, Stored } from "../flow/flow.ts";
import { graphOf, isWork } from "../flow/graph.ts";
import { readPayload } from "../flow/payload.ts";
import type { Person } from "./stand.ts";

/** What a person may have told before, and what they say now. */
export interface Example {
  readonly data?: Stored;
  readonly text?: string;
  readonly media?: Media;
}

export interface Walk<Services> {
  readonly sql: Sql;
  readonly person: Person;
  readonly flows: readonly Flow<Services>[];
  /** By `Flow.state`; states without one are walked with the flow's empty data. */
  readonly examples: Readonly<Record<string, readonly Example[]>>;
}

/** The edges that no example walks, as `Flow.state on → to`. */
export async function unwalked<Services>({
  sql,
  person,
  flows,
  examples,
}: Walk<Services>): Promise<string[]> {
  const missing: string[] = [];
  for (const flow of flows) {
    const walked = new Set<string>();
    for (const [name, state] of Object.entries(flow.states)) {
      for (const { data, text, media } of examples[`${flow.name}.${name}`] ?? [{}]) {
        const place = () => stand(flow, name, { ...flow.empty, ...data });
        if (isWork(state)) {
          await place();
          for (let round = 0; round < 5; round++) {
            await person.dialogs.settle();
            person.clock.advance(60_000);
          }
          await arrived(name, "done");
          await arrived(name, "failed");
          continue;
        }
        for (const id of Object.keys(state.buttons ?? {})) {
          await place();
          const payloads = person.messenger.last(person.chatId).buttons.map(({ payload = "" }) => payload);
          const payload = payloads.find((each) => readPayload(each)?.id === id);
          if (payload === undefined) continue;
          await person.pressPayload(payload);
          await arrived(name, `[${id}]`);
        }
        if (text !== undefined) {
          await place();
          await person.say(text);
          await arrived(name, "text");
        }
        if (media) {
          await place();
          await person.send(media);
          await arrived(name, media.kind);
        }
      }
    }
    for (const { from, on, to } of graphOf(flow).edges)
      if (!from.startsWith("@") && !walked.has(`${from} ${on} → ${to}`))
        missing.push(`${flow.name}.${from} ${on} → ${to}`);

    async function arrived(from: string, on: string): Promise<void> {
      const { flow: now, state: to } = await person.row();
      const here = now === flow.name;
      if (here) walked.add(`${from} ${on} → ${to}`);
      if (here && to === from) walked.add(`${from} ${on} → @stay`);
      if (here && to === flow.first) walked.add(`${from} ${on} → @back`);
      walked.add(`${from} ${on} → ${now === null ? "@end" : `flow:${now}`}`);
    }
  }
  return missing;

  /** Puts the person into a state, having come from the first one, and has its screen shown. */
  async function stand(flow: Flow<Services>, state: string, data: Stored): Promise<void> {
    await person.command("cancel");
    const works = isWork(flow.states[state] ?? { ask: { ru: "", en: "" } });
    await sql`
      update dialogs.dialogues set flow = ${flow.name}, state = ${state}, data = ${JSON.stringify(data)}::text::jsonb,
        trail = ${[flow.first]}, rival = null, expires_at = null, revision = revision + 1, shown_revision = revision + 1,
        work_id = ${works ? randomUUID() : null}, work_attempts = 0, work_until = null
      where chat_id = ${person.chatId}`;
    if (!works) await person.edit();
  }
}
