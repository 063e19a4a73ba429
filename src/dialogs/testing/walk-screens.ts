/** Taps every button of every screen that can be reached, and names what is wrong with them. */
import type { Route } from "../flow/screens.ts";
import { fits, readFlowAddress, screenBook } from "../flow/screens.ts";
import type { Person } from "./harness.ts";

export interface ScreenWalk<Services> {
  readonly person: Person;
  readonly screens: readonly Route<Services>[];
  /** Addresses from which everything is to be reached. */
  readonly from: readonly string[];
  /** Restores what taps have changed; called before each tap. */
  before?(): Promise<void> | void;
}

/** How many addresses of one path are opened: lists have many like one another. */
const perPath = 2;
const longest = 4_096;

/** Faults by address: a button that leads nowhere or where it is not declared, no way on, a screen never reached. */
export async function screenFaults<Services>({
  person,
  screens,
  from,
  before,
}: ScreenWalk<Services>): Promise<string[]> {
  const book = screenBook(screens);
  const seen = new Map<string, Set<string>>();
  const faults: string[] = [];
  const waiting = [...from];
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const found = book.find(address);
    if (!found) {
      if (!readFlowAddress(address)) faults.push(`${address} is no screen`);
      continue;
    }
    const { path } = found.route;
    const opened = seen.get(path) ?? new Set();
    seen.set(path, opened);
    if (opened.has(address) || opened.size >= perPath) continue;
    opened.add(address);
    await before?.();
    await person.command("cancel");
    person.clock.advance(5_000);
    await person.pressPayload(address);
    const { text, buttons } = person.messenger.last(person.chatId);
    if (text.length > longest) faults.push(`${address} is longer than a message`);
    if (!buttons.some(({ payload }) => payload !== undefined)) faults.push(`${address} has no way on`);
    if (!(await person.stands()).startsWith("screen:")) continue;
    const shown = book.find(String((await person.row()).at));
    for (const { label, payload } of buttons) {
      if (payload === undefined) continue;
      const declared = readFlowAddress(payload) || shown?.route.to.some((each) => fits(each, payload));
      if (!declared)
        faults.push(`[${label}] of ${shown?.route.path ?? address} leads to ${payload}, undeclared`);
      waiting.push(payload);
    }
  }
  return [
    ...new Set(faults),
    ...screens.filter(({ path }) => !seen.has(path)).map(({ path }) => `${path} was never reached`),
  ];
}
