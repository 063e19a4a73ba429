import { type Random, randomOf } from "../random.ts";
import { distributions as d } from "./distributions.ts";
import type { SimulatedChat } from "./telegram.ts";
import { houseText, twinText } from "./texts.ts";

export type Mode = keyof typeof d.demand.modes;

/** One of the workspace's accounts with its owner's settings and its chats. */
export interface Publisher {
  readonly index: number;
  readonly mode: Mode;
  readonly fixIntervalMinutes: number;
  readonly dailyLimit: number;
  readonly chats: SimulatedChat[];
  /** Places in the workspace's pool of objects. */
  readonly selection: readonly number[];
}

export interface SimulatedObject {
  readonly id: number;
  readonly house: number;
  readonly text: string;
}

/** A workspace: its accounts, and its objects, which come and go. */
export interface Workspace {
  readonly publishers: readonly Publisher[];
  /** What the account is to publish today: every one of its objects in every one of its chats, object by object. */
  tasksOf(publisher: Publisher): { readonly object: SimulatedObject; readonly chat: SimulatedChat }[];
  /** A night passes: objects are replaced, chats change their slow mode or take rights away. */
  nextDay(): void;
}

export function createWorkspace(seed: number, workspace: number): Workspace {
  const random = randomOf(seed, workspace, "demand");
  const { accountsInWorkspace } = d.demand;
  let nextChat = 1;
  const newChat = () => drawChat(nextChat++, random);
  const wanted = Array.from({ length: accountsInWorkspace }, () => drawCount(d.demand.objects, random));
  const poolSize = Math.ceil(Math.max(...wanted) * d.demand.pool);
  const pool: SimulatedObject[] = [];
  let nextId = 1;
  const newObject = () => drawObject(nextId++, pool, random);
  while (pool.length < poolSize) pool.push(newObject());

  const publishers = wanted.map((objects, index): Publisher => {
    const mode = random.weighted(d.demand.modes);
    return {
      index,
      mode,
      fixIntervalMinutes: random.whole(...d.demand.fixMinutes),
      dailyLimit: Number(random.weighted(d.demand.dailyLimits)),
      chats: Array.from({ length: drawCount(d.demand.chats, random) }, newChat),
      selection: choose(objects, poolSize, random),
    };
  });

  return {
    publishers,
    tasksOf: ({ selection, chats }) =>
      selection.flatMap((place) => {
        const object = pool[place];
        if (!object) throw new Error(`there is no object at ${place}`);
        return chats.filter(({ closed }) => !closed).map((chat) => ({ object, chat }));
      }),
    nextDay() {
      for (let place = 0; place < pool.length; place++)
        if (random.chance(1 / d.demand.objectLifeDays)) pool[place] = newObject();
      for (const { chats } of publishers)
        for (const [place, chat] of chats.entries()) {
          // The owner replaces a chat that is known to be lost; a chat may take away rights without notice.
          if (chat.closed) chats[place] = newChat();
          else if (random.chance(d.rightsLost)) chat.writable = false;
          else if (random.chance(d.slowMode.changes)) chat.slowModeSeconds = random.pick(d.slowMode.seconds);
        }
    },
  };
}

function drawChat(id: number, random: Random): SimulatedChat {
  const slow = random.chance(d.slowMode.share);
  return {
    id,
    slowModeSeconds: slow ? random.pick(d.slowMode.seconds) : 0,
    slowModeShown: random.chance(d.slowMode.shown),
    writable: true,
    closed: false,
    lastAt: Number.NEGATIVE_INFINITY,
  };
}

function drawObject(id: number, pool: readonly SimulatedObject[], random: Random): SimulatedObject {
  if (pool.length > 0 && random.chance(d.demand.twinObjects)) {
    const sibling = random.pick(pool);
    return { id, house: sibling.house, text: twinText(sibling.text, random) };
  }
  return { id, house: id, text: houseText(random) };
}

function drawCount(
  { median, sigma, min, max }: { median: number; sigma: number; min: number; max: number },
  random: Random,
): number {
  return Math.round(Math.min(max, Math.max(min, random.logNormal(median, sigma))));
}

/** So many different places of the pool, in random order. */
function choose(count: number, size: number, random: Random): number[] {
  const places = Array.from({ length: size }, (_, index) => index);
  const chosen: number[] = [];
  while (chosen.length < count && places.length > 0)
    chosen.push(...places.splice(random.whole(0, places.length - 1), 1));
  return chosen;
}
