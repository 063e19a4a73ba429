/** Times that a person types by the clock of a zone, as `2030-05-01T09:00`. */

const minuteMs = 60_000;

/** The moment that a zone's clock shows as this; undefined if its clock never does, because it is put forward then. */
export function momentIn(zone: string, local: string): Date | undefined {
  const typed = Date.parse(`${local}:00Z`);
  if (Number.isNaN(typed)) return undefined;
  // The offset of the guess is right unless the clock is changed between the two; then the second guess is.
  const guesses = [typed - offsetAt(zone, typed), typed - offsetAt(zone, typed - offsetAt(zone, typed))];
  const found = guesses.find((guess) => localIn(zone, new Date(guess)) === local);
  return found === undefined ? undefined : new Date(found);
}

/** What the clock of a zone shows, to the minute. */
export function localIn(zone: string, at: Date): string {
  const shown = new Date(at.getTime() + offsetAt(zone, at.getTime()));
  return shown.toISOString().slice(0, 16);
}

function offsetAt(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: zone, hourCycle: "h23" },
    ...{ year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" },
  }).formatToParts(new Date(at));
  const part = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((each) => each.type === type)?.value);
  const shown = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  return shown - Math.floor(at / minuteMs) * minuteMs;
}
