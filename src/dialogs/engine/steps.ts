/** All ways to make a dialogue's next state. Pure: nothing here reads or writes. */
import type { Language, Rivalry, Saying, StepResult, Stored, Targets } from "../flow/flow.ts";
import { type Flow, listOf } from "../flow/flow.ts";
import { isAsk, isWait, isWork } from "../flow/graph.ts";
import { writePayload } from "../flow/payload.ts";
import { fits } from "../flow/screens.ts";
import { laidOut, type Text } from "../flow/text.ts";
import type { ScreenButton } from "../messenger.ts";
import type { EngineTexts } from "../texts/index.ts";
import type { Next, Rival, Said } from "./dialogue.ts";
import { own, render, type Scene } from "./render.ts";

export interface Moment<Services> {
  readonly flows: ReadonlyMap<string, Flow<Services>>;
  readonly language: Language;
  /** The engine's words, or the bot's own in their place. */
  readonly say: EngineTexts;
  readonly timing: Timing;
  /** Revision of the screen to be made. */
  readonly revision: number;
  readonly now: Date;
  /** The person wrote something, so the live message is no longer the last one. */
  readonly wrote: boolean;
  readonly workId: string;
}

/** An installation may be stricter or more patient than the flows are. */
export interface Timing {
  readonly inactivityMinutes?: number | undefined;
  readonly keepHours?: number | undefined;
}

export function hoursKept(hours: number, { keepHours }: Timing): number {
  return keepHours ?? hours;
}

/** How a screen speaks. */
export function wordsIn<Services>({ language, say }: Moment<Services>) {
  return { language, say };
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
    notice,
    flow: flow.name,
    state: name,
    data,
    trail: trail.slice(-longestTrail),
    rival: null,
    // A dialogue does not expire while the bot is working, or waits: then this is when to look again.
    expiresAt: isWait(state)
      ? new Date(moment.now.getTime() + paceOf(state.wait.everyMs))
      : works || flow.inactivity === "never"
        ? null
        : minutesAfter(moment.now, moment.timing.inactivityMinutes ?? flow.inactivity.minutes),
    screen: render(scene, { ...wordsIn(moment), revision: moment.revision, notice }),
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

/** Leaves for a screen, which is read and rendered before the step is committed. */
export function toScreen<Services>(
  address: string,
  moment: Moment<Services>,
  { notice, says = [] }: Sayings = {},
  argument?: string,
): Next {
  return { ...rest("", moment, says), at: address, visit: { notice, argument } };
}

/** A state that is entered: its preparation runs before it is shown. */
export function begin<Services>(
  scene: Scene<Services>,
  moment: Moment<Services>,
  sayings: Sayings = {},
): Next {
  return { ...enter(scene, moment, sayings), entered: "begins" };
}

export function rivalryOf<Services>({ flow, state, data }: Scene<Services>): Rivalry {
  const { rivals = "ask" } = flow;
  return typeof rivals === "function" ? rivals(data, state) : rivals;
}

const usualPaceMs = 3_000;
/** Telegram allows about one message a second and chat. */
const leastPaceMs = 1_000;

function paceOf(everyMs = usualPaceMs): number {
  return Math.max(everyMs, leastPaceMs);
}

/** Applies a handler's result. `passing`: the state leads on without being shown, so Back passes over it. */
export function follow<Services>(
  scene: Scene<Services>,
  targets: Targets<string>,
  outcome: StepResult<Stored, string>,
  moment: Moment<Services>,
  { passing = false } = {},
): Next {
  if (outcome.refuse !== undefined) return enter(scene, moment, { notice: outcome.refuse });
  const declared = listOf(targets);
  const to = outcome.to ?? (declared.length === 1 ? declared[0] : undefined);
  if (to === undefined || !declared.some((each) => fits(each, to)))
    throw new Error(
      `${scene.flow.name}.${scene.state} went to ${to ?? "nowhere"}, which it does not declare`,
    );
  const data = scene.flow.data.parse({ ...scene.data, ...outcome.data });
  const sayings = { notice: outcome.notice, says: outcome.say };
  const here = { ...scene, data };
  if (to === "@stay") return { ...enter(here, moment, sayings), entered: "enters" };
  if (to === "@back") return back(here, moment, sayings);
  if (to === "@end") return rest(outcome.notice ?? moment.say.ended, moment, outcome.say);
  if (to.startsWith("flow:")) {
    const other = moment.flows.get(to.slice("flow:".length));
    if (!other) throw new Error(`there is no ${to}`);
    return begin(beginning(other, other.first, data), moment, sayings);
  }
  if (to.startsWith("screen:")) {
    const left = toScreen(to.slice("screen:".length), moment, sayings);
    if (!outcome.keep) return left;
    const { flow, state, trail } = scene;
    return { ...left, keeps: { flow: flow.name, state, data, trail } };
  }
  const trail = passing ? scene.trail : trailTo(to, scene);
  return { ...enter({ ...here, state: to, trail }, moment, sayings), entered: "enters" };
}

export function back<Services>(
  scene: Scene<Services>,
  moment: Moment<Services>,
  sayings: Sayings = {},
): Next {
  const previous = scene.trail.at(-1);
  const next =
    previous === undefined || !scene.flow.states[previous]
      ? enter({ ...scene, trail: [] }, moment, sayings)
      : enter({ ...scene, state: previous, trail: scene.trail.slice(0, -1) }, moment, sayings);
  return { ...next, entered: "enters" };
}

/** Whether Back leads out of the states that are not left without a question. */
export function backAsks<Services>(scene: Scene<Services>): boolean {
  const state = scene.trail.at(-1);
  if (!scene.flow.keep?.asks || state === undefined || rivalryOf(scene) !== "ask") return false;
  return rivalryOf({ ...scene, state }) !== "ask";
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

/** The scene stays; the screen asks which of two flows should continue, or whether to go back. */
export function askWhich<Services>(
  scene: Scene<Services>,
  rival: Rival,
  moment: Moment<Services>,
  notice?: string,
): Next {
  const { language, revision, say } = moment;
  const present = scene.flow.title[language];
  const next = "flow" in rival ? rival.flow : "screen" in rival ? rival.begins : undefined;
  const question =
    "back" in rival
      ? say.sure
      : next === undefined
        ? say.leaving(present, scene.flow.keep && hoursKept(scene.flow.keep.hours, moment.timing))
        : say.rival(present, moment.flows.get(next)?.title[language] ?? next);
  const button = (id: string, label: string) => ({ label, payload: writePayload({ revision, id, arg: "" }) });
  return {
    ...enter(scene, moment),
    rival,
    screen: {
      ...laidOut(notice, question),
      rows: beside(
        button(own.keep, next === undefined ? say.stayIn : say.keepOn),
        button(own.fresh, next !== undefined ? say.startNew : "back" in rival ? say.back : say.leave),
      ),
    },
  };
}

/** What a phone shows of a label that has half of the width. */
const halfWidth = 15;

function beside(...buttons: readonly ScreenButton[]): ScreenButton[][] {
  return buttons.every(({ label }) => label.length <= halfWidth)
    ? [[...buttons]]
    : buttons.map((each) => [each]);
}

/** Returning to a state drops the states after it, so that Back never loops. */
function trailTo<Services>(to: string, { flow, state: name, trail }: Scene<Services>): readonly string[] {
  const state = flow.states[name];
  const longer = !state || !isAsk(state) || state.noBack || to === name ? trail : [...trail, name];
  const earlier = longer.indexOf(to);
  return earlier < 0 ? longer : longer.slice(0, earlier);
}

export function saidOf(saying: Saying): Said {
  if (typeof saying === "string" || "markdown" in saying) return laidOut(saying);
  if ("invoice" in saying) return saying;
  if ("album" in saying)
    return { album: saying.album.map(({ photo, caption }) => ({ photo, caption: laidOut(caption) })) };
  return "photo" in saying
    ? { photo: saying.photo, caption: laidOut(saying.caption) }
    : { document: saying.document, name: saying.name, caption: laidOut(saying.caption) };
}

function minutesAfter(time: Date, minutes: number): Date {
  return new Date(time.getTime() + minutes * 60_000);
}
