import type { Log } from "../../kernel/log/index.ts";
import type { Flow, StepContext, Stored, Visit } from "../flow/flow.ts";
import type { Interjection } from "../flow/interjection.ts";
import type { BotKeyboard } from "../flow/keyboard.ts";
import type { ScreenBook } from "../flow/screens.ts";
import type { Dialogue, Next } from "./dialogue.ts";
import { type KeptFlows, keptUntil } from "./kept.ts";
import type { Scene } from "./render.ts";
import type { LooksSecret } from "./secrets.ts";
import { begin, beginning, hoursKept, type Moment, rest, toScreen } from "./steps.ts";

/** What a decision may depend on. */
export interface Situation<Services> {
  readonly dialogue: Dialogue;
  readonly moment: Moment<Services>;
  /** The flow or the screen shown after /cancel and when nothing is under way. */
  readonly home: string | undefined;
  readonly interject: Interjection | undefined;
  readonly looksSecret: LooksSecret | undefined;
  readonly screens: ScreenBook<Services>;
  readonly keyboard: BotKeyboard<Services> | undefined;
  readonly keeping: KeptFlows;
  readonly visit: Visit<Services>;
  readonly log: Log;
  /** When the update came in. */
  readonly received: Date;
  turn(data: Stored): StepContext<Stored, Services>;
}

/** Undefined if no flow is active, or if this release no longer knows the stored state. */
export function sceneOf<Services>(
  { flow: name, state, data, trail }: Pick<Next, "flow" | "state" | "data" | "trail">,
  flows: ReadonlyMap<string, Flow<Services>>,
): Scene<Services> | undefined {
  const flow = name === null ? undefined : flows.get(name);
  if (!flow || state === null || !Object.hasOwn(flow.states, state)) return undefined;
  const read = flow.data.safeParse(data);
  return read.success ? { flow, state, data: read.data, trail } : undefined;
}

export function goHome<Services>({ home, moment }: Situation<Services>, notice: string): Next {
  const address = homeAddress(home);
  if (address !== undefined) return toScreen(address, moment, { notice });
  const flow = home === undefined ? undefined : moment.flows.get(home);
  return flow ? begin(beginning(flow, flow.first), moment, { notice }) : rest(notice, moment);
}

/** To the screen from which a flow was begun, or home. */
export function goBack<Services>(situation: Situation<Services>, notice: string): Next {
  const { dialogue, screens, moment } = situation;
  const from = dialogue.last_screen;
  return from !== null && screens.find(from) ? toScreen(from, moment, { notice }) : goHome(situation, notice);
}

/** Undefined if the home is a flow. */
export function homeAddress(home: string | undefined): string | undefined {
  return home?.startsWith("screen:") ? home.slice("screen:".length) : undefined;
}

/** Leaves a flow before its end: it is kept, if it wants to, or gives back what it holds. */
export async function leaveFlow<Services>(
  scene: Scene<Services>,
  why: "cancelled" | "expired" | "replaced",
  { keeping, moment, turn }: Situation<Services>,
): Promise<void> {
  if (isKept(scene, why))
    await keeping.put(scene, keptUntil(hoursKept(scene.flow.keep?.hours ?? 0, moment.timing), moment.now));
  else await scene.flow.leave?.(turn(scene.data), why);
}

export function isKept<Services>(
  { flow, state, data }: Scene<Services>,
  why: "cancelled" | "expired" | "replaced",
): boolean {
  return flow.keep !== undefined && (flow.keep.when?.(data, state, why) ?? true);
}

/** Leaves an expired flow, and returns what to tell the person. */
export async function expire<Services>(
  scene: Scene<Services>,
  situation: Situation<Services>,
): Promise<string> {
  await leaveFlow(scene, "expired", situation);
  const { inactivity } = scene.flow;
  const { language, say } = situation.moment;
  return inactivity === "never" ? say.ended : inactivity.text[language];
}
