/**
 * Walks every transition of every flow, entries included, through the engine and the database, and returns those it
 * could not walk.
 */
import { randomUUID } from "node:crypto";
import type { Sql } from "../../kernel/db/index.ts";
import { render, type StoredScreen } from "../engine/render.ts";
import type { AskState, Flow, Media, State, Stored } from "../flow/flow.ts";
import { graphOf, isWait, isWork, outside } from "../flow/graph.ts";
import { readPayload } from "../flow/payload.ts";
import { fits, flowAddress } from "../flow/screens.ts";
import type { Person } from "./harness.ts";
import { openJournal, type Step } from "./journal.ts";

/** What a person entered before, and what they enter now; without an input every button is tapped. */
export interface Example {
  readonly data?: Stored;
  readonly text?: string;
  readonly media?: Media;
  /** What `wake` brings, for a state that waits; without it every outcome comes with no facts. */
  readonly wake?: { readonly outcome: string; readonly facts?: Stored };
  /** `/start pinterest_auth_1` of a state with commands; without it each command comes with its bare prefix. */
  readonly command?: { readonly name: string; readonly argument?: string };
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
    for (const { data, text, media, wake, command, before } of silent ? given : [{}, ...given]) {
      const place = () => harness(flow, name, { ...flow.empty, ...data });
      before?.();
      if (isWork(state)) {
        await place();
        for (let round = 0; round < rounds && (await person.stands()) === `${flow.name}.${name}`; round++) {
          await person.dialogs.settle();
          person.clock.advance(roundMs);
        }
        await note();
      } else if (isWait(state)) {
        const outcomes = wake ? [wake] : Object.keys(state.wait.outcomes).map((outcome) => ({ outcome }));
        for (const ended of outcomes) {
          await place();
          await end(state.wait.on({ ...flow.empty, ...data }), ended);
          await note(`*${ended.outcome}`);
        }
        await tapAll(state.buttons, place);
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
        await prepare(flow, name, state, { ...flow.empty, ...data });
        for (const key of command ? [] : Object.keys(state.commands ?? {})) {
          const [said = "", argument = ""] = key.split(":");
          await place();
          await person.command(said, argument);
          await note(`/${key}`);
        }
        await tapAll(command ? {} : state.buttons, place);
        if (command) await say(command, state.commands, place);
      }
    }
  }

  async function tapAll(buttons: object = {}, place: () => Promise<StoredScreen>): Promise<void> {
    for (const id of Object.keys(buttons)) {
      const payloads = (await place()).rows.flat().map(({ payload = "" }) => payload);
      const payload = payloads.find((each) => readPayload(each)?.id === id);
      if (payload === undefined) continue;
      await person.pressPayload(payload);
      await note(`[${id}]`);
    }
  }

  async function say(
    { name, argument = "" }: NonNullable<Example["command"]>,
    commands: object = {},
    place: () => Promise<StoredScreen>,
  ): Promise<void> {
    await place();
    await person.command(name, argument);
    const fitting = Object.keys(commands).filter((key) => `${name}:${argument}`.startsWith(key));
    await note(`/${fitting.toSorted((one, other) => other.length - one.length)[0]}`);
  }

  async function end(on: string, { outcome, facts = {} }: NonNullable<Example["wake"]>): Promise<void> {
    await person.receive({ ...person.next(), kind: "wake", on, outcome, facts });
  }

  /** Enters the state as a flow that was kept there, so that its preparation runs. */
  async function prepare(
    flow: Flow<Services>,
    name: string,
    state: AskState<Stored, string, Services>,
    data: Stored,
  ): Promise<void> {
    if (!state.prepare?.to) return;
    await rest();
    const { workspaceId, bot } = person.key;
    await sql`
      insert into dialogs.kept (workspace_id, bot, chat_id, flow, state, data, trail, kept_until)
      values (${workspaceId}, ${bot}, ${person.chatId}, ${flow.name}, ${name}, ${JSON.stringify(data)}::text::jsonb,
        '{}', ${new Date(person.clock.now().getTime() + 2 * roundMs)})`;
    person.clock.advance(roundMs);
    await person.pressPayload(flowAddress(flow.name, "resume"), "walk");
    const [step] = await journal.take();
    if (step) noteStep({ ...step, from: { flow: flow.name, state: name } }, "prepare");
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

  function noteStep({ from, to, at }: Step, on: string): void {
    const begun = from ?? (to && { flow: to.flow, state: outside.entry });
    if (!begun) return;
    const edge = (target: string) => walked.add(`${begun.flow}.${begun.state} ${on} → ${target}`);
    if (at !== undefined) {
      const flow = flowOf.get(begun.flow);
      for (const { from: here, on: by, to: path } of flow ? graphOf(flow).edges : [])
        if (here === begun.state && by === on && fits(path, `screen:${at}`)) edge(path);
    } else if (!to) edge("@end");
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
      update dialogs.dialogues set flow = null, state = null, at = null, rival = null, expires_at = null, work_id = null
      where chat_id = ${person.chatId}`;
    await sql`delete from dialogs.kept where chat_id = ${person.chatId}`;
    await journal.take();
  }

  /** Puts the person into a state, coming from the first one, before its screen is shown. */
  async function harness(flow: Flow<Services>, state: string, data: Stored): Promise<StoredScreen> {
    const works = isWork(flow.states[state] ?? { ask: { ru: "", en: "" } });
    const trail = [flow.first];
    const [row] = await sql<{ revision: number }[]>`
      update dialogs.dialogues set flow = ${flow.name}, state = ${state}, data = ${JSON.stringify(data)}::text::jsonb,
        trail = ${trail}, at = null, tap_revision = null, rival = null, expires_at = null, revision = revision + 1, shown_revision = revision + 1,
        work_id = ${works ? randomUUID() : null}, work_attempts = 0, work_until = null
      where chat_id = ${person.chatId} returning revision`;
    await sql`delete from dialogs.kept where chat_id = ${person.chatId}`;
    await journal.take();
    return render({ flow, state, data, trail }, { language: "ru", revision: row?.revision ?? 0 });
  }
}
