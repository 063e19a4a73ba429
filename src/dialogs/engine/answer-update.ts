/** Decides one update of one chat: the dialogue's next state, and what the person is told at once. */
import { type Downloaded, type Flow, wordsOf } from "../flow/flow.ts";
import { isAsk, isWait, isWork } from "../flow/graph.ts";
import { readPayload } from "../flow/payload.ts";
import { flowAddress, isAddress, readFlowAddress } from "../flow/screens.ts";
import { laidOut, type Text } from "../flow/text.ts";
import type { Update } from "../messenger.ts";
import { conclude } from "./arrive.ts";
import type { Next, Rival, SaidText } from "./dialogue.ts";
import { type Door, doorOf, inputFor } from "./doors.ts";
import { keptUntil, sceneOfKept } from "./kept.ts";
import { labelled } from "./keyboard.ts";
import { own, render, type Scene, wasShown } from "./render.ts";
import { isSecret } from "./secrets.ts";
import {
  expire,
  goBack,
  goHome,
  homeAddress,
  isKept,
  leaveFlow,
  type Situation,
  sceneOf,
} from "./situation.ts";
import {
  askWhich,
  back,
  backAsks,
  begin,
  beginning,
  enter,
  follow,
  hoursKept,
  rest,
  rivalryOf,
  toScreen,
  wordsIn,
} from "./steps.ts";

/** Updates caused by the person. */
type Done = Exclude<Update, { kind: "event" } | { kind: "wake" }>;

/** Without `next` nothing changes; `toast` answers a tap; `again` shows the current screen once more. */
export interface Decision {
  readonly next?: Next;
  readonly toast?: string;
  readonly again?: boolean;
  readonly removeMessage?: boolean;
  /** The step needs this file first. */
  readonly fetch?: { readonly fileId: string; readonly bytes: number };
}

/** A file that was fetched for the step. */
export interface Fetched {
  readonly fileId: string;
  readonly file: Downloaded;
}

/** Longer than any messenger's limit; flows have limits of their own. */
export const longestText = 20_000;

export async function answerUpdate<Services>(
  update: Update,
  situation: Situation<Services>,
  fetched?: Fetched,
): Promise<Decision> {
  if (update.kind === "event") return { next: await hear(update, situation) };
  if (update.kind === "wake") return wakeUp(update, situation);
  const decided = await decideStep(update, situation, fetched);
  const decision = isSecret(update, situation) ? { ...decided, removeMessage: true } : decided;
  const said = interjected(update, situation);
  if (said === undefined || !decision.next) return decision;
  return { ...decision, next: { ...decision.next, says: [laidOut(said), ...decision.next.says] } };
}

/**
 * Handles an event from elsewhere. The current flow goes on after it: in the state that the flow names, or where it
 * was.
 */
async function hear<Services>(
  { name, say, facts, rows, resume, leads }: Extract<Update, { kind: "event" }>,
  situation: Situation<Services>,
): Promise<Next> {
  const { dialogue, moment, home, turn } = situation;
  const { language } = moment;
  const said: SaidText = { ...laidOut(say[language]), ...(rows && { rows: rows[language] }) };
  const scene = sceneOf(dialogue, moment.flows);
  const state = scene?.flow.states[scene.state];
  const isFree = !scene || (state && isAsk(state) && rivalryOf(scene) === "yield");
  const asked = resume && isFree ? await askToResume(resume, situation) : undefined;
  if (asked) {
    if (scene) await leaveFlow(scene, "replaced", situation);
    return { ...asked, says: [said] };
  }
  if (!scene) {
    // Below the message the person finds the screen where they were.
    const at = dialogue.at ?? homeAddress(home);
    const address = leads && at?.startsWith(leads.from) ? leads.to : at;
    if (address !== undefined) return { ...toScreen(address, moment), says: [said] };
    const flow = home === undefined ? undefined : moment.flows.get(home);
    if (!flow) return { ...rest(say[language], moment), screen: { ...said, rows: said.rows ?? [] } };
    return { ...begin(beginning(flow, flow.first), moment), says: [said] };
  }
  if (dialogue.rival) return { ...askWhich(scene, dialogue.rival, moment), says: [said] };
  const reaction = state && isAsk(state) ? scene.flow.events?.[name] : undefined;
  if (!reaction) return { ...enter(scene, moment, {}, dialogue.work_id), says: [said] };
  const next = follow(scene, reaction.to, await reaction.take(turn(scene.data), facts, scene.state), moment);
  return { ...next, says: [said, ...next.says] };
}

/** Asks whether to go on with what was left; undefined if none of it is kept. */
async function askToResume<Services>(
  { flows, ask, yes, no }: NonNullable<Extract<Update, { kind: "event" }>["resume"]>,
  { keeping, moment, home }: Situation<Services>,
): Promise<Next | undefined> {
  const { language } = moment;
  for (const flow of flows) {
    const row = await keeping.find(flow);
    if (!row || !sceneOfKept(row, moment.flows)) continue;
    const address = homeAddress(home);
    const keys = [
      { label: yes[language], payload: flowAddress(flow, "resume"), style: "primary" as const },
      ...(address === undefined ? [] : [{ label: no[language], payload: address }]),
    ];
    const asked = rest(ask[language], moment);
    return { ...asked, fresh: true, screen: { ...asked.screen, rows: [keys] } };
  }
  return undefined;
}

/**
 * What a flow waits for has ended, whether the person still looks at it or has gone on to something else. What the state has no
 * outcome for is not the end that it waits for.
 */
async function wakeUp<Services>(
  { on, outcome, facts }: Extract<Update, { kind: "wake" }>,
  situation: Situation<Services>,
): Promise<Decision> {
  const { dialogue, moment, keeping } = situation;
  const scene = sceneOf(dialogue, moment.flows);
  if (scene && waitsFor(scene, on, outcome))
    return { next: await conclude(scene, outcome, facts, situation) };
  const row = await keeping.waiting(on);
  const left = row && sceneOfKept(row, moment.flows);
  if (!left || !waitsFor(left, on, outcome)) return {};
  await keeping.take(left.flow.name);
  const ended = await conclude(left, outcome, facts, situation);
  const state = scene?.flow.states[scene.state];
  const busy = scene && state && (rivalryOf(scene) !== "yield" || !isAsk(state));
  if (!busy) return { next: { ...ended, fresh: true } };
  const goesOn = ended.flow === left.flow.name ? sceneOf(ended, moment.flows) : undefined;
  if (goesOn)
    await keeping.put(goesOn, keptUntil(hoursKept(left.flow.keep?.hours ?? 0, moment.timing), moment.now));
  const { language, say } = moment;
  const words = left.flow.keep?.ended;
  const told: SaidText = {
    ...laidOut(words ? wordsOf(words, left.data, language) : say.keptEnded(left.flow.title[language])),
    ...(goesOn && { rows: [[{ label: say.resume, payload: flowAddress(left.flow.name, "resume") }]] }),
  };
  const says = goesOn ? [told] : [...ended.says, told];
  if (dialogue.rival) return { next: { ...askWhich(scene, dialogue.rival, moment), says } };
  return { next: { ...enter(scene, moment, {}, dialogue.work_id), says } };
}

function waitsFor<Services>(
  { flow, state: name, data }: Scene<Services>,
  on: string,
  outcome: string,
): boolean {
  const state = flow.states[name];
  return state !== undefined && isWait(state) && state.wait.on(data) === on && outcome in state.wait.outcomes;
}

function interjected<Services>(update: Update, { interject, dialogue, moment }: Situation<Services>) {
  const text =
    update.kind === "text" ? update.text : update.kind === "media" ? (update.media.caption ?? "") : "";
  if (text === "" || text.length > longestText) return undefined;
  return interject?.({ text, flow: dialogue.flow, state: dialogue.state, language: moment.language });
}

async function decideStep<Services>(
  update: Done,
  situation: Situation<Services>,
  fetched: Fetched | undefined,
): Promise<Decision> {
  const { dialogue, moment } = situation;
  const scene = sceneOf(dialogue, moment.flows);
  if (isDoubleTap(update, situation)) return {};
  const door = await screenOrLabel(update, situation);
  if (dialogue.flow !== null && !scene) {
    const { changed } = moment.say;
    if (door) return { next: through(door, situation, changed) };
    if (update.kind === "press") return { next: goHome(situation, changed) };
    return atRest(update, situation, changed);
  }
  if (!scene) return door ? { next: through(door, situation) } : atRest(update, situation);
  const state = scene.flow.states[scene.state];
  if (dialogue.expires_at && dialogue.expires_at <= moment.now && state && !isWait(state)) {
    const text = await expire(scene, situation);
    if (door) return { next: through(door, situation, text) };
    return update.kind === "press"
      ? { next: goHome(situation, text), toast: text }
      : atRest(update, situation, text);
  }
  if (door) return leaveFor(door, scene, situation);
  if (update.kind === "command") return onCommand(update, scene, situation);
  if (update.kind === "press") return onPress(update, scene, situation);
  const { say } = moment;
  if (dialogue.rival) return { next: askWhich(scene, dialogue.rival, moment, say.buttonExpected) };
  if (!state || !isAsk(state))
    return { next: enter(scene, moment, { notice: say.working }, dialogue.work_id) };
  const refuse = (notice: string): Decision => ({ next: enter(scene, moment, { notice }) });
  if (update.kind === "edited") return refuse(say.edited);
  if (update.kind === "media") {
    const input = state.media?.[update.media.kind];
    if (!input && state.passesOn) {
      const elsewhere = await passOn(update, scene, situation);
      if (elsewhere) return elsewhere;
    }
    if (!input)
      return refuse(state.text ? say.textExpected : state.media ? say.mediaExpected : say.buttonExpected);
    const { fileId } = update.media;
    if (input.download && fileId !== undefined && fetched?.fileId !== fileId)
      return { fetch: { fileId, bytes: input.download.bytes } };
    const file = input.download && (fetched?.file ?? { kind: "gone" });
    const outcome = await input.take(situation.turn(scene.data), { ...update.media, file });
    return { next: follow(scene, input.to, outcome, moment), ...(input.secret && { removeMessage: true }) };
  }
  if (!state.text && state.passesOn && update.text.length <= longestText) {
    const elsewhere = await passOn(update, scene, situation);
    if (elsewhere) return elsewhere;
  }
  if (!state.text) return refuse(state.media ? say.mediaExpected : say.buttonExpected);
  if (update.text.length > longestText) return refuse(say.tooLong);
  const outcome = await state.text.take(situation.turn(scene.data), update.text);
  return { next: follow(scene, state.text.to, outcome, moment) };
}

/** Two taps on one button of a screen within this time are one: nobody has read the answer to the first. */
const doubleTapMs = 1_000;

function isDoubleTap<Services>(update: Done, { dialogue, received }: Situation<Services>): boolean {
  const last = dialogue.last_tap;
  if (update.kind !== "press" || !last) return false;
  const soon = received.getTime() - last.at.getTime() < doubleTapMs;
  return soon && last.message === update.messageId && last.payload === update.payload;
}

/** A tap on a screen, from whichever message, or a label of the keyboard. */
async function screenOrLabel<Services>(
  update: Done,
  situation: Situation<Services>,
): Promise<Door<Services> | undefined> {
  const { dialogue, screens, moment, received } = situation;
  if (update.kind === "press") {
    const isOurs = screens.routes.length > 0 || readFlowAddress(update.payload) !== undefined;
    if (!isOurs || !isAddress(update.payload)) return undefined;
    const message = update.messageId ?? "";
    return {
      ...{ screen: update.payload, interrupts: false },
      how: { edits: update.messageId, tap: { message, payload: update.payload, at: received } },
    };
  }
  if (update.kind !== "text") return undefined;
  const to = await labelled(update.text, situation);
  if (to === undefined) return undefined;
  // The screen comes below what was written, in place of the former one.
  const how = { removesLive: dialogue.flow === null && dialogue.at !== null };
  if (to.startsWith("screen:")) return { screen: to.slice("screen:".length), interrupts: false, how };
  const flow = moment.flows.get(to.slice("flow:".length));
  return flow && { scene: beginning(flow, flow.first), interrupts: false, how };
}

/** Switches to the flow that begins with this text or file; undefined if there is none. */
async function passOn<Services>(
  update: Update,
  scene: Scene<Services>,
  situation: Situation<Services>,
): Promise<Decision | undefined> {
  const door = doorOf(update, situation.moment.flows, situation.screens);
  if (!door) return undefined;
  await leaveFlow(scene, "replaced", situation);
  return { next: through(door, situation) };
}

function atRest<Services>(update: Update, situation: Situation<Services>, notice?: string): Decision {
  const { moment } = situation;
  const { say } = moment;
  if (update.kind === "press") return { toast: say.stale, again: true };
  if (update.kind === "text" && update.text.length > longestText)
    return { next: goHome(situation, say.tooLong) };
  // A text that was written to an expired flow does not begin another one.
  const door =
    notice !== undefined && update.kind !== "command"
      ? undefined
      : doorOf(update, moment.flows, situation.screens);
  if (door) return { next: through(door, situation, notice) };
  if (update.kind === "command" && update.command === "cancel")
    return { next: goHome(situation, notice ?? say.nothingToCancel) };
  return { next: goHome(situation, notice ?? say.idle) };
}

async function onCommand<Services>(
  update: Extract<Update, { kind: "command" }>,
  scene: Scene<Services>,
  situation: Situation<Services>,
): Promise<Decision> {
  const { moment, dialogue } = situation;
  const { language, say } = moment;
  const state = scene.flow.states[scene.state];
  if (update.command === "cancel") return cancel(scene, situation);
  const input = state && isAsk(state) && !dialogue.rival ? inputFor(update, state.commands) : undefined;
  if (input) {
    const outcome = await input.take(situation.turn(scene.data), update.argument);
    return { next: follow(scene, input.to, outcome, moment), ...(input.secret && { removeMessage: true }) };
  }
  const door = doorOf(update, moment.flows, situation.screens);
  const route = door && "screen" in door ? situation.screens.find(door.screen)?.route : undefined;
  // A flow may yield in some of its states; a menu always does.
  const isMenu = scene.flow.rivals === "yield";
  if (door && !(route?.waitsForFlow && !isMenu)) return leaveFor(door, scene, situation);
  const unknown = scene.flow.name === situation.home ? say.unknownCommand : say.noSuchCommand;
  const notice = isMenu ? unknown : say.busy(scene.flow.title[language]);
  if (dialogue.rival) return { next: askWhich(scene, dialogue.rival, moment, notice) };
  return { next: enter(scene, moment, { notice }, dialogue.work_id) };
}

/** Leaves the current flow for another place, after asking if the flow wants that. */
async function leaveFor<Services>(
  door: Door<Services>,
  scene: Scene<Services>,
  situation: Situation<Services>,
): Promise<Decision> {
  const { moment, dialogue } = situation;
  const { language, say } = moment;
  const state = scene.flow.states[scene.state];
  // The result of the work would be lost, so it is left only by /cancel and by entries that interrupt.
  if (state && isWork(state) && !door.interrupts)
    return { next: enter(scene, moment, { notice: say.working }, dialogue.work_id) };
  // What is waited for goes on without the person, who is told when it has ended.
  const waits = state !== undefined && isWait(state) && isKept(scene, "replaced");
  const rivalry = waits ? "yield" : rivalryOf(scene);
  if (rivalry === "ask" && !door.interrupts) {
    const asked = askWhich(scene, rivalOf(door, situation), moment);
    // Where the person looks: a tap on an older message is answered below it.
    const elsewhere = door.how?.edits !== undefined && door.how.edits !== dialogue.live_message_id;
    return { next: { ...asked, ...(elsewhere && { fresh: true }) } };
  }
  await leaveFlow(scene, "replaced", situation);
  const former = scene.flow.title[language];
  const told = rivalry === "replace" && !door.interrupts;
  const next = flowBehind(door, situation);
  const notice = next ? say.replaced(former, next.title[language]) : say.stopped(former);
  return { next: through(door, situation, told ? notice : undefined) };
}

/** The flow that a door leads to, also one that an action begins. */
function flowBehind<Services>(
  door: Door<Services>,
  { screens, moment }: Situation<Services>,
): Flow<Services> | undefined {
  if (!("screen" in door)) return door.scene.flow;
  const { route } = screens.find(door.screen) ?? {};
  const [to, ...more] = route?.act ? route.to : [];
  return more.length === 0 && to?.startsWith("flow:")
    ? moment.flows.get(to.slice("flow:".length))
    : undefined;
}

function rivalOf<Services>(door: Door<Services>, situation: Situation<Services>): Rival {
  if ("screen" in door) {
    const begins = flowBehind(door, situation)?.name;
    return {
      screen: door.screen,
      ...(door.argument !== undefined && { argument: door.argument }),
      ...(begins !== undefined && { begins }),
    };
  }
  const { flow, state, data } = door.scene;
  return { flow: flow.name, state, data };
}

/** Begins the flow, or opens the screen. */
function through<Services>(door: Door<Services>, { moment }: Situation<Services>, notice?: Text): Next {
  const next =
    "screen" in door
      ? toScreen(door.screen, moment, { notice }, door.argument)
      : begin(door.scene, moment, { notice });
  return { ...next, ...door.how };
}

async function onPress<Services>(
  update: Extract<Update, { kind: "press" }>,
  scene: Scene<Services>,
  situation: Situation<Services>,
): Promise<Decision> {
  const { dialogue, moment, turn } = situation;
  const here = scene.flow.states[scene.state];
  const said = here && !isAsk(here) ? here.again?.[moment.language] : undefined;
  const toast = said ?? moment.say.staleInFlow(scene.flow.title[moment.language]);
  const stale: Decision = { toast, again: true };
  const pressed = readPayload(update.payload);
  const revision = dialogue.tap_revision ?? dialogue.revision;
  if (!pressed || pressed.revision !== revision) return stale;
  if (dialogue.rival) {
    if (pressed.id === own.keep) return { next: enter(scene, moment) };
    if (pressed.id !== own.fresh) return stale;
    const { rival } = dialogue;
    if ("back" in rival) return { next: back(scene, moment) };
    await leaveFlow(scene, "replaced", situation);
    if ("screen" in rival) return { next: toScreen(rival.screen, moment, {}, rival.argument) };
    const flow = moment.flows.get(rival.flow);
    return {
      next: flow
        ? begin(beginning(flow, rival.state, rival.data), moment)
        : goHome(situation, moment.say.changed),
    };
  }
  const shown = render(scene, { ...wordsIn(moment), revision });
  const state = scene.flow.states[scene.state];
  if (!state || isWork(state) || !wasShown(shown, update.payload)) return stale;
  if (pressed.id === own.back)
    return { next: backAsks(scene) ? askWhich(scene, { back: true }, moment) : back(scene, moment) };
  if (pressed.id === own.cancel) return cancel(scene, situation);
  const button = state.buttons?.[pressed.id];
  if (!button) return stale;
  const outcome = (await button.press?.(turn(scene.data), pressed.arg)) ?? {};
  const next = follow(scene, button.to, outcome, moment);
  return { next, ...(outcome.refuse !== undefined && { toast: outcome.refuse }) };
}

async function cancel<Services>(scene: Scene<Services>, situation: Situation<Services>): Promise<Decision> {
  const { moment, turn } = situation;
  const { language } = moment;
  const state = scene.flow.states[scene.state];
  // What is waited for is stopped by its own button, if it can be.
  const stop = state && isWait(state) ? state.buttons?.cancel : undefined;
  if (stop && (stop.when?.(scene.data) ?? true))
    return { next: follow(scene, stop.to, (await stop.press?.(turn(scene.data), "")) ?? {}, moment) };
  const kept = scene.flow.cancelTo?.(scene.data, scene.state);
  if (kept !== undefined && kept !== scene.state)
    return { next: { ...enter({ ...scene, state: kept, trail: [] }, moment), entered: "enters" } };
  const address = homeAddress(situation.home);
  if (
    scene.flow.keep?.asks &&
    address !== undefined &&
    rivalryOf(scene) === "ask" &&
    !situation.dialogue.rival
  )
    return { next: askWhich(scene, { screen: address }, moment) };
  const isHome = scene.flow.name === situation.home && scene.state === scene.flow.first;
  if (isHome) return { next: enter(scene, moment, { notice: moment.say.nothingToCancel }) };
  await leaveFlow(scene, "cancelled", situation);
  const { keep, cancelled } = scene.flow;
  const told = (isKept(scene, "cancelled") && keep?.told) || cancelled;
  return { next: goBack(situation, told?.[language] ?? moment.say.cancelled) };
}
