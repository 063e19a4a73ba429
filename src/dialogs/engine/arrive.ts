/**
 * Brings a step to where it can be shown: opens screens, runs actions and preparations, looks at what is waited for.
 * Everything happens in the step's transaction.
 */
import type { StepResult, Stored, WaitState } from "../flow/flow.ts";
import { isAsk, isWait } from "../flow/graph.ts";
import {
  type Acted,
  type Found,
  fits,
  flowAddress,
  flowEntity,
  isAddress,
  readFlowAddress,
  type ScreenKey,
  type View,
} from "../flow/screens.ts";
import { laidOut, type Text } from "../flow/text.ts";
import type { ScreenButton } from "../messenger.ts";
import type { Next } from "./dialogue.ts";
import { sceneOfKept } from "./kept.ts";
import { copyable, render, type Scene, type StoredScreen } from "./render.ts";
import { goHome, homeAddress, type Situation, sceneOf } from "./situation.ts";
import { begin, beginning, enter, follow, rest, saidOf, toScreen, wordsIn } from "./steps.ts";

export interface Arrival {
  readonly next: Next;
  readonly toast?: string | undefined;
}

/** More steps in a row than any bot needs: it goes round in a circle. */
const longestWay = 12;

export async function arrive<Services>(begun: Next, situation: Situation<Services>): Promise<Arrival> {
  let next = begun;
  let toast: string | undefined;
  for (let step = 0; step < longestWay; step++) {
    const onward = next.visit ? await open(next, situation) : await settle(next, situation);
    toast = onward.toast ?? toast;
    // A state that is merely shown is the same step; everything else is a step further.
    if (onward.done && !next.visit) return { next: onward.next, toast };
    next = carried(next, onward.next);
    if (onward.done) return { next, toast };
  }
  throw new Error(`${next.flow ?? next.at} leads round in a circle`);
}

interface Onward extends Arrival {
  /** It can be shown. */
  readonly done?: boolean;
}

/** What was said on the way stays said; the message to edit stays the same unless a new one is needed. */
function carried(before: Next, after: Next): Next {
  const { edits, removesLive, tap, fresh } = before;
  return {
    ...after,
    ...(edits !== undefined && { edits }),
    ...(removesLive && { removesLive }),
    ...(tap && { tap }),
    fresh: after.fresh || fresh,
    says: [...before.says, ...after.says],
  };
}

async function open<Services>(next: Next, situation: Situation<Services>): Promise<Onward> {
  const { screens, visit, moment } = situation;
  const address = next.at ?? "";
  const { notice, argument } = next.visit ?? {};
  if (address.startsWith(`${flowEntity}:`)) return openKept(address, notice, situation);
  const found = screens.find(address);
  if (!found) return missing(situation);
  const guest = { ...visit, argument };
  if (found.route.act) {
    const acted = await found.route.act(found.params, guest);
    if (!acted) return missing(situation);
    const begun = acts(found, acted, notice, situation);
    if (acted.forgets && begun.flow !== null) await situation.keeping.take(begun.flow);
    return { next: begun, toast: acted.toast };
  }
  const view = await found.route.show?.(found.params, guest);
  if (!view) return missing(situation);
  const shown = { ...rest("", moment), at: address, screen: screenOf(view, notice, found, situation) };
  return { next: shown, done: true };
}

function acts<Services>(
  { route }: Found<Services>,
  { to: wanted, data, state, notice: said, say = [] }: Acted,
  before: Text | undefined,
  { moment }: Situation<Services>,
): Next {
  const to = wanted ?? (route.to.length === 1 ? route.to[0] : undefined);
  if (to === undefined || !route.to.some((each) => fits(each, to)))
    throw new Error(`${route.path} went to ${to ?? "nowhere"}, which it does not declare`);
  const sayings = { notice: said ?? before, says: say };
  if (!to.startsWith("flow:")) return toScreen(to, moment, sayings);
  const flow = moment.flows.get(to.slice("flow:".length));
  if (!flow) throw new Error(`there is no ${to}`);
  return begin(beginning(flow, state ?? flow.first, data), moment, sayings);
}

/** The engine's own screens about a flow that was left. */
async function openKept<Services>(
  address: string,
  notice: Text | undefined,
  situation: Situation<Services>,
): Promise<Onward> {
  const { keeping, moment, turn } = situation;
  const { say } = moment;
  const named = readFlowAddress(address);
  const row = named && (await keeping.find(named.flow));
  const scene = row && sceneOfKept(row, moment.flows);
  if (!named || !row || !scene) return { next: goHome(situation, say.notKept) };
  if (named.action === "offer")
    return { next: { ...offered(scene, notice, situation), at: address }, done: true };
  await keeping.take(named.flow);
  if (named.action === "resume") return { next: { ...enter(scene, moment, { notice }), entered: "enters" } };
  await scene.flow.leave?.(turn(scene.data), "cancelled");
  if (named.action === "discard") return { next: goHome(situation, say.discarded) };
  const again = row.again ?? { state: scene.flow.first, data: {} };
  const state = Object.hasOwn(scene.flow.states, again.state) ? again.state : scene.flow.first;
  return { next: begin(beginning(scene.flow, state, again.data), moment, { notice }) };
}

function offered<Services>(
  { flow, state, data }: Scene<Services>,
  notice: Text | undefined,
  { moment }: Situation<Services>,
): Next {
  const { language, say } = moment;
  const text = laidOut(notice, say.kept(flow.title[language]), flow.keep?.summary?.(data, state, language));
  const button = (label: string, action: "resume" | "restart" | "discard"): ScreenButton[] => [
    { label, payload: flowAddress(flow.name, action) },
  ];
  const rows = [button(say.resume, "resume"), button(say.restart, "restart"), button(say.discard, "discard")];
  return { ...rest("", moment), screen: { ...text, rows } };
}

/** Nothing is there, or it is somebody else's: the two look the same. */
function missing<Services>(situation: Situation<Services>): Onward {
  const { moment, home } = situation;
  const { say } = moment;
  const address = homeAddress(home);
  if (address === undefined) return { next: goHome(situation, say.missing) };
  const rows = [[{ label: say.home, payload: address }]];
  return { next: { ...rest("", moment), screen: { ...laidOut(say.missing), rows } }, done: true };
}

function screenOf<Services>(
  { text, picture, buttons }: View,
  notice: Text | undefined,
  { route }: Found<Services>,
  { log }: Situation<Services>,
): StoredScreen {
  const keyOf = (key: ScreenKey): ScreenButton => {
    const shared = { label: key.label, ...(key.style && { style: key.style }) };
    if ("url" in key) return { ...shared, url: key.url };
    if ("copy" in key) return { ...shared, copy: copyable(key.copy) };
    if (!isAddress(key.to))
      throw new RangeError(`${key.to} on ${route.path} is not an address of at most 64 bytes`);
    // The tap is answered all the same; the walk through all screens finds it.
    if (!readFlowAddress(key.to) && !route.to.some((each) => fits(each, key.to)))
      log.error({ path: route.path, address: key.to }, "a button leads where its screen does not declare");
    return { ...shared, payload: key.to };
  };
  const rows = buttons.filter((row) => row.length > 0).map((row) => row.map(keyOf));
  return { ...laidOut(notice, text), rows, ...(picture && { picture }) };
}

/** Prepares a state that is entered, and looks at what it waits for. */
async function settle<Services>(next: Next, situation: Situation<Services>): Promise<Onward> {
  const scene = sceneOf(next, situation.moment.flows);
  const state = scene?.flow.states[scene.state];
  if (!scene || !state || next.rival) return { next, done: true };
  if (next.entered === "begins" && scene.flow.keep) {
    const offer = await offerInstead(next, scene, situation);
    if (offer) return { next: offer };
  }
  if (isWait(state)) return look(next, scene, state, situation);
  if (!isAsk(state) || !state.prepare || !next.entered) return { next, done: true };
  const outcome = await state.prepare.take(situation.turn(scene.data));
  const { moment } = situation;
  if (outcome.refuse !== undefined)
    return { next: again(next, scene, { notice: outcome.refuse }, situation), done: true };
  if (outcome.to === undefined || outcome.to === "@stay") {
    const data = scene.flow.data.parse({ ...scene.data, ...outcome.data });
    const shown = again(next, { ...scene, data }, { notice: outcome.notice }, situation);
    return { next: { ...shown, says: [...shown.says, ...(outcome.say ?? []).map(saidOf)] }, done: true };
  }
  const [first, ...more] = state.prepare.to ?? [];
  if (first === undefined) throw new Error(`${scene.flow.name}.${scene.state} declares no way on`);
  const onward = { ...outcome, ...(outcome.notice === undefined && next.notice && { notice: next.notice }) };
  return { next: follow(scene, [first, ...more], onward, moment, { passing: true }) };
}

/** A flow of which something is kept is not begun: the person chooses first. */
async function offerInstead<Services>(
  next: Next,
  { flow, state, data }: Scene<Services>,
  { keeping, moment }: Situation<Services>,
): Promise<Next | undefined> {
  const row = await keeping.find(flow.name);
  if (!row) return undefined;
  if (!sceneOfKept(row, moment.flows)) {
    await keeping.take(flow.name);
    return undefined;
  }
  await keeping.setAgain(flow.name, { state, data });
  return toScreen(flowAddress(flow.name, "offer"), moment, { notice: next.notice });
}

async function look<Services>(
  next: Next,
  scene: Scene<Services>,
  { wait }: WaitState<Stored, string, Services>,
  situation: Situation<Services>,
): Promise<Onward> {
  const seen = await wait.look?.(situation.turn(scene.data));
  if (seen === undefined) return { next, done: true };
  if (typeof seen === "string" || "markdown" in seen)
    return { next: again(next, scene, { asked: seen }, situation), done: true };
  return { next: await conclude(scene, seen.outcome, seen.facts ?? {}, situation) };
}

/** What was waited for has ended. */
export async function conclude<Services>(
  scene: Scene<Services>,
  name: string,
  facts: Stored,
  { moment, turn }: Situation<Services>,
): Promise<Next> {
  const state = scene.flow.states[scene.state];
  const outcome = state && isWait(state) ? state.wait.outcomes[name] : undefined;
  if (!outcome) throw new Error(`${scene.flow.name}.${scene.state} does not know the outcome ${name}`);
  const result: StepResult<Stored, string> = (await outcome.take?.(turn(scene.data), facts)) ?? {};
  return follow(scene, outcome.to, result, moment);
}

/** The same step with newer data or words. */
function again<Services>(
  next: Next,
  scene: Scene<Services>,
  { notice = next.notice, asked }: { notice?: Text | undefined; asked?: Text },
  { moment }: Situation<Services>,
): Next {
  const revision = next.tapRevision ?? moment.revision;
  const screen = render(scene, { ...wordsIn(moment), revision, notice, asked });
  return { ...next, data: scene.data, screen };
}
