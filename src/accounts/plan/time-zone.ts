/** A calendar day, such as `2026-11-16`: JavaScript has no type for it. */
export type Day = string;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export function dayAt(instant: Date, zone: string): Day {
  return new Date(wallOf(instant.getTime(), zone)).toISOString().slice(0, 10);
}

export function dayAfter(day: Day): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + dayMs).toISOString().slice(0, 10);
}

/** The instant of a local time: the first of two when clocks go back; shifted by the gap when they go forward. `24:00` is the end of the day. */
export function instantAt(day: Day, time: string, zone: string): Date {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(":").map(Number);
  const wall = Date.parse(`${day}T00:00:00Z`) + ((hours * 60 + minutes) * 60 + seconds) * 1000;
  const before = wall - offsetAt(wall - dayMs, zone);
  const after = wall - offsetAt(wall + dayMs, zone);
  const shown = [before, after].filter((instant) => wallOf(instant, zone) === wall);
  return new Date(shown.length > 0 ? Math.min(...shown) : before);
}

function offsetAt(instant: number, zone: string): number {
  return wallOf(instant, zone) - instant;
}

/** Local time as if it were UTC. */
function wallOf(instant: number, zone: string): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(instant)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const part = ((instant % 1000) + 1000) % 1000;
  return Date.UTC(year, month - 1, day, hour, minute, second, part);
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Creating a formatter is a thousand times slower than using it. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  clocks.set(zone, clock);
  return clock;
}
