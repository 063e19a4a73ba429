/**
 * Walks every transition of every flow, entries included, through the engine and the database, and returns those it
 * could not walk.
 */
import { randomUUID } from "node:crypto";
import type { Sql } from "../../kernel/db/index.ts";
import { render, type StoredScreen } from "../engine/render.ts";
import {
  type Flow,
  listOf,
  type Media,
  type State,
  type StepContext,
  type StepResult,
  type Stored,
} from "../flow/flow.ts";
import { type Edge, graphOf, isWait, isWork, outside } from "../flow/graph.ts";
import { readPayload } from "../flow/payload.ts";
import { fits, flowAddress, type Route } from "../flow/screens.ts";
import { texts } from "../texts/index.ts";
import type { Person } from "./harness.ts";
import { openJournal, type Place, type Step } from "./journal.ts";
import type { Watch } from "./watch.ts";

/** What a person entered before, and what they enter now; without an input every button is tapped. */
export interface Example {
  /** A function prepares it anew for every step. */
  readonly data?: Stored | (() => Stored | Promise<Stored>);
  readonly text?: string;
  readonly media?: Media;
  /** What `wake` brings, for a state that waits; without it every outcome comes with no facts. */
  readonly wake?: { readonly outcome: string; readonly facts?: Stored };
  /** `/start pinterest_auth_1` of a state with commands; without it each command comes with its bare prefix. */
  readonly command?: { readonly name: string; readonly argument?: string };
  /** Prepares the external state that this example needs. */
  before?(): void | Promise<void>;
  /** Lets work fail that nothing else makes fail. */
  after?(): void | Promise<void>;
}

export interface Walk<Services> {
  readonly sql: Sql;
  readonly person: Person;
  readonly flows: readonly Flow<Services>[];
  /**
   * By `Flow.state`, and `Flow.@start` for entries; states without an example are walked with the flow's empty data.
   */
  readonly examples: Readonly<Record<string, readonly Example[]>>;
  /** The bot's screens: a step that ends in another flow may have come there by an action. */
  readonly screens?: readonly Route<Services>[];
  /** Looks at every screen on the way. */
  readonly watch?: Watch;
  /** Of `traced`, whose flows the person must have. */
  readonly trace?: Trace<Services>;
}

export interface Trace<Services> {
  readonly flows: readonly Flow<Services>[];
  /** States that led on before they were shown. */
  readonly passes: Pass[];
  /** Whether every work fails. */
  breaks: boolean;
}

/** A state that was entered and led on at once, which no dialogue remembers. */
export interface Pass {
  readonly flow: string;
  readonly state: string;
  readonly on: string;
  readonly to: string;
}

/** The same flows, which note every state that is passed over, and whose work fails on demand. */
export function traced<Services>(flows: readonly Flow<Services>[]): Trace<Services> {
  const passes: Pass[] = [];
  const tracedState = (
    flow: string,
    name: string,
    state: State<Stored, string, Services>,
  ): State<Stored, string, Services> => {
    const noted = (on: string, outcome: StepResult<Stored, string>, targets: readonly string[]) => {
      const to =
        outcome.refuse === undefined ? (outcome.to ?? (on === "prepare" ? undefined : targets[0])) : "";
      if (to !== undefined && to !== "" && to !== "@stay") passes.push({ flow, state: name, on, to });
      return outcome;
    };
    if (isWork(state))
      return {
        ...state,
        async work(turn) {
          if (trace.breaks) throw new Error("the walk lets this work fail");
          return state.work(turn);
        },
      };
    if (!isWait(state)) {
      const { prepare } = state;
      if (!prepare) return state;
      const take: typeof prepare.take = async (turn) =>
        noted("prepare", await prepare.take(turn), prepare.to ?? []);
      return { ...state, prepare: { ...prepare, take } };
    }
    const { wait } = state;
    const outcomes = Object.entries(wait.outcomes).map(([outcome, each]) => [
      outcome,
      {
        ...each,
        take: async (turn: StepContext<Stored, Services>, facts: Stored) =>
          noted(`*${outcome}`, (await each.take?.(turn, facts)) ?? {}, listOf(each.to)),
      },
    ]);
    return { ...state, wait: { ...wait, outcomes: Object.fromEntries(outcomes) } };
  };
  const trace: Trace<Services> = {
    ...{ passes, breaks: false },
    flows: flows.map((flow) => ({
      ...flow,
      states: Object.fromEntries(
        Object.entries(flow.states).map(([name, state]) => [name, tracedState(flow.name, name, state)]),
      ),
    })),
  };
  return trace;
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
  screens = [],
  watch,
  trace,
}: Walk<Services>): Promise<string[]> {
  const passes = trace?.passes ?? [];
  const walked = new Set<string>();
  const flowOf = new Map(flows.map((flow) => [flow.name, flow]));
  const edges = new Map(flows.map((flow) => [flow.name, graphOf(flow).edges]));
  await person.command("cancel");
  const journal = await openJournal(sql, person);
  try {
    for (const flow of flows) {
      await begin(flow);
      for (const [name, state] of Object.entries(flow.states)) await walkState(flow, name, state);
    }
  } finally {
    await journal.close();
  }
  const all = flows.flatMap(({ name }) => edgesOf(name).map((edge) => ({ ...edge, flow: name })));
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
      await before?.();
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
    const shown: readonly Example[] = silent ? given : [{}, ...given];
    for (const example of shown) {
      try {
        await tryOut(example, example.data === shown[0]?.data);
      } catch (error) {
        if (!watch) throw error;
        watch.report(`${flow.name}.${name}: an example breaks: ${error}`);
      } finally {
        await example.after?.();
      }
    }

    async function tryOut(example: Example, isFirst: boolean): Promise<void> {
      const { data: stored, text, media, wake, command, before } = example;
      const dataOf = async () => ({
        ...flow.empty,
        ...(typeof stored === "function" ? await stored() : stored),
      });
      const place = async () => harness(flow, name, await dataOf());
      await before?.();
      if (isWork(state)) {
        await place();
        await work(`${flow.name}.${name}`);
        if (trace && isFirst) {
          trace.breaks = true;
          await place();
          await work(`${flow.name}.${name}`);
          trace.breaks = false;
        }
      } else if (isWait(state)) {
        const outcomes = wake ? [wake] : Object.keys(state.wait.outcomes).map((outcome) => ({ outcome }));
        for (const ended of outcomes) {
          const data = await dataOf();
          await harness(flow, name, data);
          await end(state.wait.on(data), ended);
          await note(`*${ended.outcome}`);
        }
        await tapAll(flow, name, state.buttons, dataOf);
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
          // It leads where it led from another example.
          if (isWalked(flow, name, `!${event}`)) continue;
          await place();
          const say = { ru: event, en: event };
          await person.receive({ ...person.next(), kind: "event", name: event, say, facts: {} });
          await note(`!${event}`);
        }
        if (state.prepare?.to) await prepare(flow, name, await dataOf());
        for (const key of command ? [] : Object.keys(state.commands ?? {})) {
          const [said = "", argument = ""] = key.split(":");
          await place();
          await person.command(said, argument);
          await note(`/${key}`);
        }
        if (!command) await tapAll(flow, name, state.buttons, dataOf);
        if (command) await say(command, state.commands, place);
      }
    }
  }

  /** Lets the work be done, however often it is tried. */
  async function work(here: string): Promise<void> {
    for (let round = 0; round < rounds && (await person.stands()) === here; round++) {
      await person.dialogs.settle();
      person.clock.advance(roundMs);
    }
    await note();
  }

  async function tapAll(
    flow: Flow<Services>,
    name: string,
    buttons: object = {},
    dataOf: () => Promise<Stored>,
  ): Promise<void> {
    /** The first data serve to see which buttons there are, and for the first tap. */
    let data: Stored | undefined = await dataOf();
    const seen = sceneIn(flow, name, data);
    for (const id of Object.keys(buttons)) {
      const count = payloadsOf(seen, id).length;
      // It has led everywhere from other examples.
      if (isWalked(flow, name, `[${id}]`)) continue;
      // Of many like one another, the first and the last.
      for (const at of count > 1 ? [0, -1] : count === 1 ? [0] : []) {
        const own = payloadsOf(await harness(flow, name, data ?? (await dataOf())), id);
        data = undefined;
        const payload = own.at(at);
        if (payload === undefined) continue;
        await person.pressPayload(payload);
        await note(`[${id}]`);
      }
    }
  }

  /** Whether every edge that begins like this was walked. */
  function isWalked({ name: flow }: Flow<Services>, from: string, on: string): boolean {
    return edgesOf(flow)
      .filter((edge) => edge.from === from && edge.on === on)
      .every(({ to }) => walked.has(`${flow}.${from} ${on} → ${to}`));
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
  async function prepare(flow: Flow<Services>, name: string, data: Stored): Promise<void> {
    await rest();
    const { workspaceId, bot } = person.key;
    await sql`
      insert into dialogs.kept (workspace_id, bot, chat_id, flow, state, data, trail, kept_until)
      values (${workspaceId}, ${bot}, ${person.chatId}, ${flow.name}, ${name}, ${JSON.stringify(data)}::text::jsonb,
        '{}', ${new Date(person.clock.now().getTime() + 2 * roundMs)})`;
    person.clock.advance(roundMs);
    await person.pressPayload(flowAddress(flow.name, "resume"), "walk");
    const [step] = await journal.take();
    if (!notePasses() && step) noteStep({ ...step, from: { flow: flow.name, state: name } }, "prepare");
    await watch?.look(person, `${flow.name}.${name} prepare`);
  }

  /** Records the steps since the last call: the first one by the person's input, those of work by their end. */
  async function note(did?: string): Promise<void> {
    const [steps, row] = await Promise.all([journal.take(), person.row()]);
    const from = steps[0]?.from;
    watch?.see(row, from ? `${from.flow}.${from.state} ${did ?? "works"}` : (did ?? "a step"));
    const first = notePasses();
    for (const [index, step] of steps.entries()) {
      const worked = workedOf(step);
      // The step leads to where something was passed over.
      const led = index === steps.length - 1 && first && step.from && isFurther(step.from, first, did);
      const to = led ? { flow: first.flow, state: first.state } : step.to;
      if (worked !== undefined || did !== undefined)
        noteStep(led ? { ...step, to, at: undefined } : step, worked ?? did ?? "");
      did = undefined;
    }
  }

  /** What was passed over came after the step, and is not the step itself. */
  function isFurther(from: Place, { flow, state, on }: Pass, did: string | undefined): boolean {
    return from.flow !== flow || from.state !== state || on !== did;
  }

  /** Notes what was passed over since the last call; the first of them, if any. */
  function notePasses(): Pass | undefined {
    const taken = passes.splice(0);
    for (const { flow, state, on, to } of taken)
      for (const edge of edgesOf(flow))
        if (edge.from === state && edge.on === on && fits(edge.to, to))
          walked.add(`${flow}.${state} ${on} → ${edge.to}`);
    return taken[0];
  }

  function edgesOf(name: string): readonly Edge[] {
    return edges.get(name) ?? [];
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
      for (const { from: here, on: by, to: path } of edgesOf(begun.flow))
        if (here === begun.state && by === on && fits(path, `screen:${at}`)) edge(path);
    } else if (!to) edge("@end");
    else if (to.flow === begun.flow) {
      edge(to.state);
      if (to.state === begun.state) edge("@stay");
      if (to.state === flowOf.get(to.flow)?.first) edge("@back");
    } else {
      edge(`flow:${to.flow}`);
      const actions = screens.filter((route) => route.act && route.to.includes(`flow:${to.flow}`));
      for (const { from: here, on: by, to: path } of edgesOf(begun.flow))
        if (here === begun.state && by === on && actions.some((route) => `screen:${route.path}` === path))
          edge(path);
      walked.add(`${to.flow}.${outside.entry} flow:${to.flow} → ${to.state}`);
    }
  }

  /** Ends the current flow. */
  async function rest(): Promise<void> {
    await sql`
      update dialogs.dialogues set flow = null, state = null, at = null, rival = null, expires_at = null, work_id = null
      where bot = ${person.key.bot} and chat_id = ${person.chatId}`;
    await sql`delete from dialogs.kept where bot = ${person.key.bot} and chat_id = ${person.chatId}`;
    await journal.take();
    passes.length = 0;
  }

  async function harness(flow: Flow<Services>, state: string, data: Stored): Promise<StoredScreen> {
    const screen = await standIn(sql, person, { flow, state, data });
    passes.length = 0;
    return screen;
  }
}

/** Puts a person into a state, coming from the first one, before its screen is shown. */
export async function standIn<Services>(
  sql: Sql,
  person: Person,
  { flow, state, data }: { readonly flow: Flow<Services>; readonly state: string; readonly data: Stored },
): Promise<StoredScreen> {
  const works = isWork(flow.states[state] ?? { ask: { ru: "", en: "" } });
  const trail = [flow.first];
  const [row] = await sql<{ revision: number }[]>`
    with gone as (
      delete from dialogs.kept where bot = ${person.key.bot} and chat_id = ${person.chatId})
    update dialogs.dialogues set flow = ${flow.name}, state = ${state}, data = ${JSON.stringify(data)}::text::jsonb,
      trail = ${trail}, at = null, tap_revision = null, rival = null, expires_at = null, revision = revision + 1, shown_revision = revision + 1,
      work_id = ${works ? randomUUID() : null}, work_attempts = 0, work_until = null
    where bot = ${person.key.bot} and chat_id = ${person.chatId} returning revision`;
  return sceneIn(flow, state, data, row?.revision);
}

/** What is shown there to who comes from the first state. */
function sceneIn<Services>(flow: Flow<Services>, state: string, data: Stored, revision = 0): StoredScreen {
  return render({ flow, state, data, trail: [flow.first] }, { language: "ru", say: texts.ru, revision });
}

function payloadsOf({ rows }: StoredScreen, id: string): string[] {
  const payloads = rows.flat().map(({ payload = "" }) => payload);
  return payloads.filter((each) => readPayload(each)?.id === id);
}
