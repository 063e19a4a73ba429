/**
 * Walks every transition of every flow, entries included, through the engine and the database, and returns those it
 * could not walk.
 */
import { randomUUID } from "node:crypto";
import type { Sql } from "../../kernel/db/index.ts";
import { render } from "../engine/render.ts";
import type { Flow, Media, State, Stored } from "../flow/flow.ts";
import { graphOf, isWork, outside } from "../flow/graph.ts";
import { readPayload } from "../flow/payload.ts";
import type { Screen } from "../messenger.ts";
import type { Person } from "./harness.ts";
import { openJournal, type Step } from "./journal.ts";

/** What a person entered before, and what they enter now; without an input every button is tapped. */
export interface Example {
  readonly data?: Stored;
  readonly text?: string;
  readonly media?: Media;
  /** Prepares the external state that this example needs. */
  before?(): void;
}

export interface Walk<Services> {
  readonly sql: Sql;
  readonly person: Person;
  readonly flows: readonly Flow<Services>[];
  /**
   * By `Flow.state`, and `Flow.@start` for entries; states without an example are walked with the flow's empty data.
   */
  readonly examples: Readonly<Record<string, readonly Example[]>>;
}

/** The default number of attempts of work, plus one. */
const rounds = 4;
const roundMs = 60_000;

/** The transitions that no example walks, as `Flow.state on → to`. */
export async function unwalked<Services>({
  sql,
  person,
  flows,
  examples,
}: Walk<Services>): Promise<string[]> {
  const walked = new Set<string>();
  const flowOf = new Map(flows.map((flow) => [flow.name, flow]));
  await person.command("cancel");
  const journal = await openJournal(sql, person.chatId);
  try {
    for (const flow of flows) {
      await begin(flow);
      for (const [name, state] of Object.entries(flow.states)) await walkState(flow, name, state);
    }
  } finally {
    await journal.close();
  }
  const all = flows.flatMap((flow) => graphOf(flow).edges.map((edge) => ({ ...edge, flow: flow.name })));
  const ledTo = new Set(all.map(({ to }) => to));
  return all
    .filter(({ on }) => !on.startsWith("flow:") || ledTo.has(on))
    .map(({ flow, from, on, to }) => `${flow}.${from} ${on} → ${to}`)
    .filter((edge) => !walked.has(edge));

  /** By each of its commands, by texts and by files. */
  async function begin({ name, entries = {} }: Flow<Services>): Promise<void> {
    for (const door of Object.keys(entries.commands ?? {})) {
      const [command = "", prefix = ""] = door.split(":");
      await rest();
      await person.command(command, prefix);
      await note(`/${door}`);
    }
    for (const { before, text, media } of examples[`${name}.${outside.entry}`] ?? []) {
      before?.();
      await rest();
      if (text !== undefined) await person.say(text);
      if (media) await person.send(media);
      await note(media?.kind ?? "text");
    }
  }

  async function walkState(
    flow: Flow<Services>,
    name: string,
    state: State<Stored, string, Services>,
  ): Promise<void> {
    const given = examples[`${flow.name}.${name}`] ?? [];
    const silent = given.some(({ text, media }) => text === undefined && media === undefined);
    for (const { data, text, media, before } of silent ? given : [{}, ...given]) {
      const place = () => harness(flow, name, { ...flow.empty, ...data });
      before?.();
      if (isWork(state)) {
        await place();
        for (let round = 0; round < rounds && (await person.stands()) === `${flow.name}.${name}`; round++) {
          await person.dialogs.settle();
          person.clock.advance(roundMs);
        }
        await note();
      } else if (text !== undefined) {
        await place();
        await person.say(text);
        await note("text");
      } else if (media) {
        await place();
        await person.send(media);
        await note(media.kind);
      } else {
        for (const event of Object.keys(flow.events ?? {})) {
          await place();
          const say = { ru: event, en: event };
          await person.receive({ ...person.next(), kind: "event", name: event, say, facts: {} });
          await note(`!${event}`);
        }
        for (const id of Object.keys(state.buttons ?? {})) {
          const payloads = (await place()).rows.flat().map(({ payload = "" }) => payload);
          const payload = payloads.find((each) => readPayload(each)?.id === id);
          if (payload === undefined) continue;
          await person.pressPayload(payload);
          await note(`[${id}]`);
        }
      }
    }
  }

  /** Records the steps since the last call: the first one by the person's input, those of work by their end. */
  async function note(did?: string): Promise<void> {
    for (const step of await journal.take()) {
      const worked = workedOf(step);
      if (worked !== undefined || did !== undefined) noteStep(step, worked ?? did ?? "");
      did = undefined;
    }
  }

  function workedOf({ from, attempts }: Step): "done" | "failed" | undefined {
    const state = from && flowOf.get(from.flow)?.states[from.state];
    if (!state || !isWork(state)) return undefined;
    return attempts >= (state.attempts ?? 3) ? "failed" : "done";
  }

  function noteStep({ from, to }: Step, on: string): void {
    const begun = from ?? (to && { flow: to.flow, state: outside.entry });
    if (!begun) return;
    const edge = (target: string) => walked.add(`${begun.flow}.${begun.state} ${on} → ${target}`);
    if (!to) edge("@end");
    else if (to.flow === begun.flow) {
      edge(to.state);
      if (to.state === begun.state) edge("@stay");
      if (to.state === flowOf.get(to.flow)?.first) edge("@back");
    } else {
      edge(`flow:${to.flow}`);
      walked.add(`${to.flow}.${outside.entry} flow:${to.flow} → ${to.state}`);
    }
  }

  /** Ends the current flow. */
  async function rest(): Promise<void> {
    await sql`
      update dialogs.dialogues set flow = null, state = null, rival = null, expires_at = null, work_id = null
      where chat_id = ${person.chatId}`;
    await journal.take();
  }

  /** Puts the person into a state, coming from the first one, before its screen is shown. */
  async function harness(flow: Flow<Services>, state: string, data: Stored): Promise<Screen> {
    const works = isWork(flow.states[state] ?? { ask: { ru: "", en: "" } });
    const trail = [flow.first];
    const [row] = await sql<{ revision: number }[]>`
      update dialogs.dialogues set flow = ${flow.name}, state = ${state}, data = ${JSON.stringify(data)}::text::jsonb,
        trail = ${trail}, rival = null, expires_at = null, revision = revision + 1, shown_revision = revision + 1,
        work_id = ${works ? randomUUID() : null}, work_attempts = 0, work_until = null
      where chat_id = ${person.chatId} returning revision`;
    await journal.take();
    return render({ flow, state, data, trail }, { language: "ru", revision: row?.revision ?? 0 });
  }
}
