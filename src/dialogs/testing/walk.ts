/** Walks every edge of every flow, its beginnings included, through the engine and the database, and names those it could not walk. */
import { randomUUID } from "node:crypto";
import type { Sql } from "../../kernel/db/index.ts";
import type { Flow, Media, Stored } from "../flow/flow.ts";
import { graphOf, isWork, outside } from "../flow/graph.ts";
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
  /** By `Flow.state`, and `Flow.@start` for what begins it; states without one are walked with the flow's empty data. */
  readonly examples: Readonly<Record<string, readonly Example[]>>;
}

/** The edges that no example walks, as `Flow.state on → to`. */
export async function unwalked<Services>({
  sql,
  person,
  flows,
  examples,
}: Walk<Services>): Promise<string[]> {
  const walked = new Set<string>();
  for (const flow of flows) {
    await begin(flow);
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

    /** By each of its commands, by words and by files. */
    async function begin({ entries = {} }: Flow<Services>): Promise<void> {
      const examplesOf = examples[`${flow.name}.${outside.entry}`] ?? [];
      for (const door of Object.keys(entries.commands ?? {})) {
        const [command = "", prefix = ""] = door.split(":");
        await rest();
        await person.command(command, prefix);
        await arrived(outside.entry, `/${door}`);
      }
      for (const { text, media } of examplesOf) {
        await rest();
        if (text !== undefined) await person.say(text);
        if (media) await person.send(media);
        await arrived(outside.entry, media?.kind ?? "text");
      }
    }

    async function arrived(from: string, on: string): Promise<void> {
      const { flow: now, state: to } = await person.row();
      const note = (target: unknown) => walked.add(`${flow.name}.${from} ${on} → ${target}`);
      if (now === flow.name) {
        note(to);
        if (to === from) note("@stay");
        if (to === flow.first) note("@back");
      }
      note(now === null ? "@end" : `flow:${now}`);
      if (now !== flow.name) walked.add(`${now}.${outside.entry} flow:${now} → ${to}`);
    }
  }
  const all = flows.flatMap((flow) => graphOf(flow).edges.map((edge) => ({ ...edge, flow: flow.name })));
  const ledTo = new Set(all.map(({ to }) => to));
  return all
    .filter(({ on }) => !on.startsWith("flow:") || ledTo.has(on))
    .map(({ flow, from, on, to }) => `${flow}.${from} ${on} → ${to}`)
    .filter((edge) => !walked.has(edge));

  /** Nothing is under way. */
  async function rest(): Promise<void> {
    await person.command("cancel");
    await sql`
      update dialogs.dialogues set flow = null, state = null, rival = null, expires_at = null, work_id = null
      where chat_id = ${person.chatId}`;
  }

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
