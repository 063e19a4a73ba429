/** All ways to make a dialogue's next state. Pure: nothing here reads or writes. */
import type { Language, Saying, StepResult, Stored, Targets } from "../flow/flow.ts";
import { type Flow, listOf } from "../flow/flow.ts";
import { isWork } from "../flow/graph.ts";
import { writePayload } from "../flow/payload.ts";
import { laidOut, type Text } from "../flow/text.ts";
import { texts } from "../texts/index.ts";
import type { Next, Rival, Said } from "./dialogue.ts";
import { own, render, type Scene } from "./render.ts";

export interface Moment<Services> {
  readonly flows: ReadonlyMap<string, Flow<Services>>;
  readonly language: Language;
  /** Revision of the screen to be made. */
  readonly revision: number;
  readonly now: Date;
  /** The person wrote something, so the live message is no longer the last one. */
  readonly wrote: boolean;
  readonly workId: string;
}

interface Sayings {
  readonly notice?: Text | undefined;
  readonly says?: readonly Saying[] | undefined;
}

const longestTrail = 50;

export function enter<Services>(
  scene: Scene<Services>,
  moment: Moment<Services>,
  { notice, says = [] }: Sayings = {},
  runningWork?: string | null,
): Next {
  const { flow, state: name, data, trail } = scene;
  const state = flow.states[name];
  if (!state) throw new Error(`${flow.name} has no state ${name}`);
  const { place = "follow" } = state;
  const works = isWork(state);
  return {
    flow: flow.name,
    state: name,
    data,
    trail: trail.slice(-longestTrail),
    rival: null,
    // A dialogue does not expire while the bot is working.
    expiresAt:
      works || flow.inactivity === "never" ? null : minutesAfter(moment.now, flow.inactivity.minutes),
    screen: render(scene, { language: moment.language, revision: moment.revision, notice }),
    says: says.map(saidOf),
    fresh: place === "fresh" || (place === "follow" && moment.wrote),
    workId: works ? (runningWork ?? moment.workId) : null,
  };
}

/** Ends the flow; the text is the last that the person sees of it. */
export function rest<Services>(text: Text, { wrote }: Moment<Services>, says: readonly Saying[] = []): Next {
  return {
    flow: null,
    state: null,
    data: {},
    trail: [],
    rival: null,
    expiresAt: null,
    screen: { ...laidOut(text), rows: [] },
    says: says.map(saidOf),
    fresh: wrote,
    workId: null,
  };
}

/** Applies a handler's result. */
export function follow<Services>(
  scene: Scene<Services>,
  targets: Targets<string>,
  outcome: StepResult<Stored, string>,
  moment: Moment<Services>,
): Next {
  if (outcome.refuse !== undefined) return enter(scene, moment, { notice: outcome.refuse });
  const declared = listOf(targets);
  const to = outcome.to ?? (declared.length === 1 ? declared[0] : undefined);
  if (to === undefined || !declared.includes(to))
    throw new Error(
      `${scene.flow.name}.${scene.state} went to ${to ?? "nowhere"}, which it does not declare`,
    );
  const data = scene.flow.data.parse({ ...scene.data, ...outcome.data });
  const sayings = { notice: outcome.notice, says: outcome.say };
  const here = { ...scene, data };
  if (to === "@stay") return enter(here, moment, sayings);
  if (to === "@back") return back(here, moment, sayings);
  if (to === "@end") return rest(outcome.notice ?? texts[moment.language].ended, moment, outcome.say);
  if (to.startsWith("flow:")) {
    const other = moment.flows.get(to.slice("flow:".length));
    if (!other) throw new Error(`there is no ${to}`);
    return enter(beginning(other, other.first, data), moment, sayings);
  }
  return enter({ ...here, state: to, trail: trailTo(to, scene) }, moment, sayings);
}

export function back<Services>(
  scene: Scene<Services>,
  moment: Moment<Services>,
  sayings: Sayings = {},
): Next {
  const previous = scene.trail.at(-1);
  return previous === undefined || !scene.flow.states[previous]
    ? enter({ ...scene, trail: [] }, moment, sayings)
    : enter({ ...scene, state: previous, trail: scene.trail.slice(0, -1) }, moment, sayings);
}

/** A flow at its beginning, with the given data as far as its schema knows them. */
export function beginning<Services>(
  flow: Flow<Services>,
  state: string,
  given: Stored = {},
): Scene<Services> {
  const read = flow.data.safeParse({ ...flow.empty, ...given });
  return { flow, state, data: read.success ? read.data : flow.empty, trail: [] };
}

/** The scene stays; the screen asks which of two flows should continue. */
export function askWhich<Services>(
  scene: Scene<Services>,
  rival: Rival,
  moment: Moment<Services>,
  notice?: string,
): Next {
  const { language, revision } = moment;
  const say = texts[language];
  const title = moment.flows.get(rival.flow)?.title[language] ?? rival.flow;
  const button = (id: string, label: string) => ({ label, payload: writePayload({ revision, id, arg: "" }) });
  return {
    ...enter(scene, moment),
    rival,
    screen: {
      ...laidOut(notice, say.rival(scene.flow.title[language], title)),
      rows: [[button(own.keep, say.keepOn), button(own.fresh, say.startNew)]],
    },
  };
}

/** Returning to a state drops the states after it, so that Back never loops. */
function trailTo<Services>(to: string, { flow, state: name, trail }: Scene<Services>): readonly string[] {
  const state = flow.states[name];
  const longer = !state || isWork(state) || state.noBack || to === name ? trail : [...trail, name];
  const earlier = longer.indexOf(to);
  return earlier < 0 ? longer : longer.slice(0, earlier);
}

export function saidOf(saying: Saying): Said {
  return typeof saying !== "string" && "invoice" in saying ? saying : laidOut(saying);
}

function minutesAfter(time: Date, minutes: number): Date {
  return new Date(time.getTime() + minutes * 60_000);
}
