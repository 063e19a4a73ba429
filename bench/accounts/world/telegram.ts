import { type Random, randomOf } from "../random.ts";
import { distributions as d } from "./distributions.ts";
import { createSends, type Sends } from "./sends.ts";
import { drawThresholds, type Thresholds, toleranceAt } from "./thresholds.ts";

/** What Telegram answers to a message. */
export type Answer =
  | { readonly kind: "sent" }
  | { readonly kind: "flood_wait"; readonly seconds: number }
  | { readonly kind: "slow_mode"; readonly seconds: number }
  | { readonly kind: "peer_flood" }
  | { readonly kind: "no_rights" }
  | { readonly kind: "banned" };

export interface Message {
  readonly account: number;
  readonly chat: SimulatedChat;
  /** Texts of one house are near-identical; only the simulated Telegram knows this. */
  readonly house: number;
  readonly at: number;
}

/** A chat that one account writes to. */
export interface SimulatedChat {
  readonly id: number;
  slowModeSeconds: number;
  readonly slowModeShown: boolean;
  writable: boolean;
  /** The publisher knows that it may not write there. */
  closed: boolean;
  lastAt: number;
}

/** The messenger as far as one workspace's accounts see it. */
export interface Telegram {
  send(message: Message): Answer;
  /** How near to its nearest threshold one more message brings the account, whatever its text; 1 is at it. For the optimum only. */
  loadAt(account: number, at: number): number;
  /** The same for the texts of a house. For the optimum only. */
  copiesLoad(account: number, house: number, at: number): number;
  /** Takes a message that is within every threshold, without a warning. For the optimum only. */
  take(message: Message): void;
  isBanned(account: number): boolean;
  kindOf(account: number): Thresholds["kind"];
}

type Dimension = "day" | "hour" | "gap" | "copies";

interface Account {
  readonly thresholds: Thresholds;
  readonly random: Random;
  readonly sends: Sends;
  /** When it was warned, oldest first. */
  warnings: number[];
  floodUntil: number;
  restrictedUntil: number;
  slowModeRefusals: number;
  banned: boolean;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

export function createTelegram(options: {
  readonly seed: number;
  readonly workspace: number;
  readonly accounts: number;
  readonly connectedAt: number;
}): Telegram {
  const { seed, workspace, connectedAt } = options;
  const together = new Map<number, number[]>();
  const accounts = Array.from({ length: options.accounts }, (_, index): Account => {
    return {
      thresholds: drawThresholds(randomOf(seed, workspace, index, "thresholds")),
      random: randomOf(seed, workspace, index, "telegram"),
      sends: createSends(together),
      warnings: [],
      floodUntil: 0,
      restrictedUntil: 0,
      slowModeRefusals: 0,
      banned: false,
    };
  });
  const accountOf = (index: number): Account => {
    const account = accounts[index];
    if (!account) throw new Error(`there is no account ${index}`);
    return account;
  };

  return {
    send: (message) => answer(accountOf(message.account), message, connectedAt),
    loadAt: (account, at) => Math.max(...Object.values(rateLoads(accountOf(account), at, connectedAt))),
    copiesLoad: (account, house, at) => copiesLoad(accountOf(account), house, at, connectedAt),
    take: (message) => accept(accountOf(message.account), message),
    isBanned: (account) => accountOf(account).banned,
    kindOf: (account) => accountOf(account).thresholds.kind,
  };
}

function answer(account: Account, message: Message, connectedAt: number): Answer {
  const { random } = account;
  const { at, chat } = message;
  if (account.banned) return { kind: "banned" };
  if (at < account.floodUntil || at < account.restrictedUntil) return ignored(account, at);
  if (!chat.writable) return { kind: "no_rights" };
  const slowUntil = chat.lastAt + chat.slowModeSeconds * 1000;
  if (at < slowUntil) return slow(account, at, slowUntil);

  const { load, dimension } = loadOf(account, message, connectedAt);
  if (load > account.thresholds.far && random.chance(d.far.ban)) return ban(account);
  if (random.chance(warningChance(load))) return warn(account, at, load, dimension);
  if (random.chance(d.hiccup.perSend)) return floodFor(account, at, random.between(...d.hiccup.seconds));
  accept(account, message);
  return { kind: "sent" };
}

function accept({ sends }: Account, { at, house, chat }: Message): void {
  sends.add(at, house);
  chat.lastAt = at;
}

/** The threshold that a message comes closest to. */
function loadOf(account: Account, { at, house }: Message, connectedAt: number) {
  const loads: Record<Dimension, number> = {
    ...rateLoads(account, at, connectedAt),
    copies: copiesLoad(account, house, at, connectedAt),
  };
  let dimension: Dimension = "day";
  for (const name of ["hour", "gap", "copies"] as const) if (loads[name] > loads[dimension]) dimension = name;
  return { load: loads[dimension], dimension };
}

function rateLoads({ sends, thresholds }: Account, at: number, connectedAt: number) {
  const tolerance = toleranceAt(thresholds, (at - connectedAt) / dayMs);
  return {
    day: (sends.since(at - dayMs, "day") + 1) / tolerance.perDay,
    hour: (sends.since(at - hourMs, "hour") + 1) / tolerance.perHour,
    gap: tolerance.gapMs / Math.max(1, at - sends.lastAt()),
  };
}

function copiesLoad({ sends, thresholds }: Account, house: number, at: number, connectedAt: number): number {
  const { own, others } = sends.copiesSince(at - dayMs, house);
  const tolerated = toleranceAt(thresholds, (at - connectedAt) / dayMs).copies;
  return (own + 1 + thresholds.othersWeight * others) / tolerated;
}

function warningChance(load: number): number {
  const { from, atThreshold, beyond, most } = d.warning;
  if (load <= from) return 0;
  if (load <= 1) return atThreshold * ((load - from) / (1 - from)) ** 2;
  return Math.min(most, atThreshold + beyond * (load - 1));
}

function warn(account: Account, at: number, load: number, dimension: Dimension): Answer {
  const { random } = account;
  const earlier = recentWarnings(account, at);
  if (strike(account, at)) return ban(account);
  if (random.chance(d.peerFlood[dimension])) return restrict(account, at);
  const { median, growth, sigma, doublings, min, max } = d.floodWait;
  const typical = median * Math.exp(growth * (load - d.warning.from)) * 2 ** Math.min(doublings, earlier);
  return floodFor(account, at, Math.min(max, Math.max(min, random.logNormal(typical, sigma))));
}

function ignored(account: Account, at: number): Answer {
  if (strike(account, at) || account.random.chance(d.ignored.ban)) return ban(account);
  if (at < account.restrictedUntil) return { kind: "peer_flood" };
  return { kind: "flood_wait", seconds: Math.ceil((account.floodUntil - at) / 1000) };
}

/** Counts a warning; true if it was one too many. */
function strike(account: Account, at: number): boolean {
  account.warnings.push(at);
  return recentWarnings(account, at) > account.thresholds.patience && account.random.chance(d.patience.ban);
}

function recentWarnings(account: Account, at: number): number {
  account.warnings = account.warnings.filter((warned) => warned > at - d.patience.days * dayMs);
  return account.warnings.length;
}

function slow(account: Account, at: number, until: number): Answer {
  account.slowModeRefusals++;
  if (account.slowModeRefusals % d.slowMode.refusalsPerWarning === 0 && strike(account, at))
    return ban(account);
  return { kind: "slow_mode", seconds: Math.ceil((until - at) / 1000) };
}

function floodFor(account: Account, at: number, length: number): Answer {
  const seconds = Math.ceil(length);
  account.floodUntil = at + seconds * 1000;
  return { kind: "flood_wait", seconds };
}

function restrict(account: Account, at: number): Answer {
  account.restrictedUntil = at + account.random.between(...d.restriction) * hourMs;
  return { kind: "peer_flood" };
}

function ban(account: Account): Answer {
  account.banned = true;
  return { kind: "banned" };
}
