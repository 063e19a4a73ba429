/** Decides one update of one chat: the dialogue's next state, and what the person is told at once. */
import type { Entry, Flow, Media, StepContext, Stored } from "../flow/flow.ts";
import { isWork } from "../flow/graph.ts";
import type { Interjection } from "../flow/interjection.ts";
import { readPayload } from "../flow/payload.ts";
import { laidOut } from "../flow/text.ts";
import type { Update } from "../messenger.ts";
import { texts } from "../texts/index.ts";
import type { Dialogue, Next } from "./dialogue.ts";
import { own, render, type Scene, wasShown } from "./render.ts";
import { askWhich, back, beginning, enter, follow, type Moment, rest } from "./steps.ts";

export interface Situation<Services> {
  readonly dialogue: Dialogue;
  readonly moment: Moment<Services>;
  /** The flow shown after /cancel and when no other is active. */
  readonly home: string | undefined;
  readonly interject: Interjection | undefined;
  turn(data: Stored): StepContext<Stored, Services>;
}

/** Updates caused by the person. */
type Done = Exclude<Update, { kind: "event" }>;

/** Without `next` nothing changes; `toast` answers a tap; `again` shows the current screen once more. */
export interface Decision {
  readonly next?: Next;
  readonly toast?: string;
  readonly again?: boolean;
  readonly removeMessage?: boolean;
}

/** Longer than any messenger's limit; flows have limits of their own. */
export const longestText = 20_000;

export async function answerUpdate<Services>(
  update: Update,
  situation: Situation<Services>,
): Promise<Decision> {
  if (update.kind === "event") return { next: await hear(update, situation) };
  const decision = await decideStep(update, situation);
  const said = interjected(update, situation);
  if (said === undefined || !decision.next) return decision;
  return { ...decision, next: { ...decision.next, says: [laidOut(said), ...decision.next.says] } };
}

/**
 * Handles an event from elsewhere. The current flow goes on after it: in the state that the flow names, or where it
 * was.
 */
async function hear<Services>(
  { name, say, facts }: Extract<Update, { kind: "event" }>,
  situation: Situation<Services>,
): Promise<Next> {
  const { dialogue, moment, home, turn } = situation;
  const said = laidOut(say[moment.language]);
  const scene = sceneOf(dialogue, moment.flows);
  if (!scene) {
    const flow = home === undefined ? undefined : moment.flows.get(home);
    return flow
      ? enter(beginning(flow, flow.first), moment, { says: [say[moment.language]] })
      : rest(say[moment.language], moment);
  }
  if (dialogue.rival) return { ...askWhich(scene, dialogue.rival, moment), says: [said] };
  const state = scene.flow.states[scene.state];
  const reaction = state && !isWork(state) ? scene.flow.events?.[name] : undefined;
  if (!reaction) return { ...enter(scene, moment, {}, dialogue.work_id), says: [said] };
  const next = follow(scene, reaction.to, await reaction.take(turn(scene.data), facts, scene.state), moment);
  return { ...next, says: [said, ...next.says] };
}

function interjected<Services>(update: Update, { interject, dialogue, moment }: Situation<Services>) {
  const text =
    update.kind === "text" ? update.text : update.kind === "media" ? (update.media.caption ?? "") : "";
  if (text === "" || text.length > longestText) return undefined;
  return interject?.({ text, flow: dialogue.flow, state: dialogue.state, language: moment.language });
}

async function decideStep<Services>(update: Done, situation: Situation<Services>): Promise<Decision> {
  const { dialogue, moment } = situation;
  const scene = sceneOf(dialogue, moment.flows);
  if (dialogue.flow !== null && !scene) {
    if (update.kind === "press") return { next: goHome(situation, texts[moment.language].changed) };
    return atRest(update, situation, texts[moment.language].changed);
  }
  if (!scene) return atRest(update, situation);
  if (dialogue.expires_at && dialogue.expires_at <= moment.now) {
    const text = await expire(scene, situation);
    return update.kind === "press"
      ? { next: goHome(situation, text), toast: text }
      : atRest(update, situation, text);
  }
  if (update.kind === "command") return onCommand(update, scene, situation);
  if (update.kind === "press") return onPress(update, scene, situation);
  const say = texts[moment.language];
  if (dialogue.rival) return { next: askWhich(scene, dialogue.rival, moment, say.buttonExpected) };
  const state = scene.flow.states[scene.state];
  if (!state || isWork(state))
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
    return {
      next: follow(scene, input.to, await input.take(situation.turn(scene.data), update.media), moment),
    };
  }
  if (!state.text && state.passesOn && update.text.length <= longestText) {
    const elsewhere = await passOn(update, scene, situation);
    if (elsewhere) return elsewhere;
  }
  if (!state.text) return refuse(state.media ? say.mediaExpected : say.buttonExpected);
  if (update.text.length > longestText) return refuse(say.tooLong);
  const outcome = await state.text.take(situation.turn(scene.data), update.text);
  return {
    next: follow(scene, state.text.to, outcome, moment),
    ...(state.text.secret && { removeMessage: true }),
  };
}

/** Switches to the flow that begins with this text or file; undefined if there is none. */
async function passOn<Services>(
  update: Update,
  scene: Scene<Services>,
  { moment, turn }: Situation<Services>,
): Promise<Decision | undefined> {
  const door = doorOf(update, moment.flows);
  if (!door) return undefined;
  await scene.flow.leave?.(turn(scene.data), "replaced");
  return { next: enter(door.scene, moment) };
}

/** Undefined if no flow is active, or if this release no longer knows the stored state. */
export function sceneOf<Services>(
  { flow: name, state, data, trail }: Dialogue,
  flows: ReadonlyMap<string, Flow<Services>>,
): Scene<Services> | undefined {
  const flow = name === null ? undefined : flows.get(name);
  if (!flow || state === null || !Object.hasOwn(flow.states, state)) return undefined;
  const read = flow.data.safeParse(data);
  return read.success ? { flow, state, data: read.data, trail } : undefined;
}

/** Leaves an expired flow, and returns what to tell the person. */
export async function expire<Services>(
  scene: Scene<Services>,
  { turn, moment }: Situation<Services>,
): Promise<string> {
  await scene.flow.leave?.(turn(scene.data), "expired");
  const { inactivity } = scene.flow;
  return inactivity === "never" ? texts[moment.language].ended : inactivity.text[moment.language];
}

export function goHome<Services>({ home, moment }: Situation<Services>, notice: string): Next {
  const flow = home === undefined ? undefined : moment.flows.get(home);
  return flow ? enter(beginning(flow, flow.first), moment, { notice }) : rest(notice, moment);
}

function atRest<Services>(update: Update, situation: Situation<Services>, notice?: string): Decision {
  const { moment } = situation;
  const say = texts[moment.language];
  if (update.kind === "press") return { toast: say.stale, again: true };
  if (update.kind === "text" && update.text.length > longestText)
    return { next: goHome(situation, say.tooLong) };
  // A text that was written to an expired flow does not begin another one.
  const door = notice !== undefined && update.kind !== "command" ? undefined : doorOf(update, moment.flows);
  if (door) return { next: enter(door.scene, moment, { notice }) };
  if (update.kind === "command" && update.command === "cancel")
    return { next: goHome(situation, notice ?? say.nothingToCancel) };
  return { next: goHome(situation, notice ?? say.idle) };
}

async function onCommand<Services>(
  update: Extract<Update, { kind: "command" }>,
  scene: Scene<Services>,
  situation: Situation<Services>,
): Promise<Decision> {
  const { moment, dialogue, turn } = situation;
  const { language } = moment;
  const say = texts[language];
  if (update.command === "cancel") return { next: await cancel(scene, situation) };
  const door = doorOf(update, moment.flows);
  if (!door) {
    // A menu is replaced without asking.
    const isMenu = scene.flow.rivals === "yield";
    const unknown = scene.flow.name === situation.home ? say.unknownCommand : say.noSuchCommand;
    const notice = isMenu ? unknown : say.busy(scene.flow.title[language]);
    if (dialogue.rival) return { next: askWhich(scene, dialogue.rival, moment, notice) };
    return { next: enter(scene, moment, { notice }, dialogue.work_id) };
  }
  const { rivals = "ask" } = scene.flow;
  const state = scene.flow.states[scene.state];
  // The result of the work would be lost, so it is left only by /cancel and by entries that interrupt.
  if (state && isWork(state) && !door.interrupts)
    return { next: enter(scene, moment, { notice: say.working }, dialogue.work_id) };
  if (rivals === "ask" && !door.interrupts) {
    const { flow, state: to, data } = door.scene;
    return { next: askWhich(scene, { flow: flow.name, state: to, data }, moment) };
  }
  await scene.flow.leave?.(turn(scene.data), "replaced");
  const told = rivals === "replace" && !door.interrupts;
  const notice = told ? say.replaced(scene.flow.title[language], door.scene.flow.title[language]) : undefined;
  return { next: enter(door.scene, moment, { notice }) };
}

async function onPress<Services>(
  update: Extract<Update, { kind: "press" }>,
  scene: Scene<Services>,
  situation: Situation<Services>,
): Promise<Decision> {
  const { dialogue, moment, turn } = situation;
  const stale: Decision = { toast: texts[moment.language].stale, again: true };
  const pressed = readPayload(update.payload);
  if (!pressed || pressed.revision !== dialogue.revision) return stale;
  if (dialogue.rival) {
    if (pressed.id === own.keep) return { next: enter(scene, moment) };
    if (pressed.id !== own.fresh) return stale;
    const rival = moment.flows.get(dialogue.rival.flow);
    await scene.flow.leave?.(turn(scene.data), "replaced");
    return {
      next: rival
        ? enter(beginning(rival, dialogue.rival.state, dialogue.rival.data), moment)
        : goHome(situation, texts[moment.language].changed),
    };
  }
  const shown = render(scene, { language: moment.language, revision: dialogue.revision });
  const state = scene.flow.states[scene.state];
  if (!state || isWork(state) || !wasShown(shown, update.payload)) return stale;
  if (pressed.id === own.back) return { next: back(scene, moment) };
  if (pressed.id === own.cancel) return { next: await cancel(scene, situation) };
  const button = state.buttons?.[pressed.id];
  if (!button) return stale;
  const outcome = (await button.press?.(turn(scene.data), pressed.arg)) ?? {};
  const next = follow(scene, button.to, outcome, moment);
  return { next, ...(outcome.refuse !== undefined && { toast: outcome.refuse }) };
}

async function cancel<Services>(scene: Scene<Services>, situation: Situation<Services>): Promise<Next> {
  const kept = scene.flow.cancelTo?.(scene.data, scene.state);
  if (kept !== undefined && kept !== scene.state)
    return enter({ ...scene, state: kept, trail: [] }, situation.moment);
  const isHome = scene.flow.name === situation.home && scene.state === scene.flow.first;
  if (isHome)
    return enter(scene, situation.moment, { notice: texts[situation.moment.language].nothingToCancel });
  await scene.flow.leave?.(situation.turn(scene.data), "cancelled");
  const { language } = situation.moment;
  return goHome(situation, scene.flow.cancelled?.[language] ?? texts[language].cancelled);
}

interface Door<Services> {
  readonly scene: Scene<Services>;
  readonly interrupts: boolean;
}

/** The flow that begins with this update. A command may be `start:gift_`, which matches only `/start gift_…`. */
function doorOf<Services>(
  update: Update,
  flows: ReadonlyMap<string, Flow<Services>>,
): Door<Services> | undefined {
  let found: (Door<Services> & { readonly weight: number }) | undefined;
  for (const flow of flows.values()) {
    const { commands = {}, text, media = {} } = flow.entries ?? {};
    if (update.kind === "text" && text) return open(flow, text, update.text, update);
    if (update.kind === "media") {
      const entry = media[update.media.kind];
      if (entry) return open<Services, Media>(flow, entry, update.media, update);
    }
    if (update.kind !== "command") continue;
    for (const [key, entry] of Object.entries(commands)) {
      const [name = "", prefix = ""] = key.split(":");
      const fits = name === update.command && update.argument.startsWith(prefix);
      if (fits && (!found || key.length > found.weight))
        found = { ...open(flow, entry, update.argument, update), weight: key.length };
    }
  }
  return found;
}

function open<Services, Value>(
  flow: Flow<Services>,
  entry: Entry<Stored, string, Value>,
  value: Value,
  { id, messageId = String(id), replyTo }: Update,
): Door<Services> {
  const begun = entry.begin?.(value, { id: messageId, replyTo });
  return { scene: beginning(flow, entry.to, begun), interrupts: entry.interrupts ?? false };
}
