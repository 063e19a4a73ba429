/** Opens every screen that can be reached and taps every button of it, and names what is wrong with them. */
import type { Route } from "../flow/screens.ts";
import { fits, readFlowAddress, screenBook } from "../flow/screens.ts";
import type { Person } from "./harness.ts";
import { createWatch, screenIn, type Watch } from "./watch.ts";

export interface ScreenWalk<Services> {
  readonly person: Person;
  readonly screens: readonly Route<Services>[];
  /** Addresses from which everything is to be reached. */
  readonly from: readonly string[];
  /** The same person with another language: screens are compared. */
  readonly abroad?: Person;
  /** Collects what is wrong; without it buttons of flows are not looked at. */
  readonly watch?: Watch;
  /** Paths that are opened after all others, in this order: what they take away is needed until then. */
  readonly last?: readonly string[];
  /** The paths that are walked; all unless given. */
  isWalked?(path: string): boolean;
  /** Prepares what an address needs, or restores what taps have changed; called before each tap. */
  before?(address: string): Promise<void> | void;
}

/** How many addresses are opened that differ in their numbers only: lists have many like one another. Of each word, one. */
const alike = 2;

/** Faults by address: no way on, a button that leads nowhere or where it is not declared, a screen never reached. */
export async function screenFaults<Services>({
  person,
  screens,
  from,
  abroad,
  last = [],
  isWalked = () => true,
  before,
  watch = createWatch({ flows: [], screens }),
}: ScreenWalk<Services>): Promise<string[]> {
  const book = screenBook(screens);
  const seen = new Set<string>();
  const opened = new Set<string>();
  const counts = new Map<string, number>();
  const rank = (address: string) => last.indexOf(book.find(address)?.route.path ?? "");
  const waiting = from.map((address) => ({ address, isDoor: true, rank: rank(address) }));
  const named = new Set(from);
  /** The dialogue as the last tap left it. */
  let row = await person.row();
  for (let next = take(); next !== undefined; next = take()) {
    const { address, isDoor } = next;
    const found = book.find(address);
    if (!found) {
      if (!readFlowAddress(address)) watch.report(`${address} is no screen`);
      continue;
    }
    if (!isWalked(found.route.path)) continue;
    const kind = kindOf(found.route.path, address);
    const count = counts.get(kind) ?? 0;
    const most = kind === found.route.path ? alike : 1;
    if (opened.has(address) || (count >= most && !isDoor)) continue;
    opened.add(address);
    counts.set(kind, count + 1);
    seen.add(found.route.path);
    await before?.(address);
    // A flow that is kept asks first.
    for (let tries = 0; tries < 2 && isBusy(row); tries += 1) {
      await person.command("cancel");
      row = await person.row();
    }
    person.clock.advance(5_000);
    await person.pressPayload(address);
    row = await person.row();
    watch.see(row, address);
    if (row.flow !== null) continue;
    if (row.at === null) {
      watch.report(`${address} leads to a screen that is not there`);
      continue;
    }
    const shown = book.find(String(row.at));
    if (shown) seen.add(shown.route.path);
    const { rows, text } = screenIn(row);
    if (abroad && shown?.route.show) {
      abroad.clock.advance(5_000);
      await abroad.pressPayload(String(row.at), "abroad");
      watch.compare(shown.route.path, { ru: { text, rows }, en: screenIn(await abroad.row()) });
    }
    for (const { label, payload } of rows.flat()) {
      if (payload === undefined) continue;
      const declared = readFlowAddress(payload) || shown?.route.to.some((each) => fits(each, payload));
      if (!declared)
        watch.report(`[${label}] of ${shown?.route.path ?? address} leads to ${payload}, undeclared`);
      if (named.has(payload)) continue;
      named.add(payload);
      waiting.push({ address: payload, isDoor: false, rank: rank(payload) });
    }
  }
  return [
    ...watch.faults,
    ...screens
      .filter(({ path }) => isWalked(path) && !seen.has(path))
      .map(({ path }) => `${path} was never reached`),
  ];

  function take(): (typeof waiting)[number] | undefined {
    const first = Math.min(...waiting.map((each) => each.rank));
    const best = waiting.findIndex((each) => each.rank === first);
    return waiting.splice(Math.max(best, 0), 1)[0];
  }
}

/** In a flow, or asked about one; one who was never there is to be met first. */
function isBusy({ chat_id, flow, rival }: Record<string, unknown>): boolean {
  return chat_id === undefined || flow !== null || rival !== null;
}

/** Addresses of one kind differ in their numbers, not in their words. */
function kindOf(path: string, address: string): string {
  const words = address.split(":");
  return path
    .split(":")
    .map((part, index) => (part.startsWith("{@") && !/\d/.test(words[index] ?? "") ? words[index] : part))
    .join(":");
}
