/** Posting hours as people type them: «09:00–12:00, 18:00–02:00». Pure. */

type Intervals = readonly (readonly [string, string])[];

export function intervalsOf(value: unknown): string {
  if (!Array.isArray(value)) return "";
  return value.map((each) => (Array.isArray(each) ? each.join("–") : "")).join(", ");
}

/** Undefined if it cannot be read. Whether the times make sense, the server says. */
export function readIntervals(text: string): Intervals | undefined {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const read = parts.map((part) => part.split(/[-–—]/).map((time) => time.trim()));
  const pairs = read.flatMap(([from, to, ...more]) =>
    from && to && more.length === 0 && isTime(from) && isTime(to)
      ? [[padded(from), padded(to)] as const]
      : [],
  );
  return pairs.length === parts.length ? pairs : undefined;
}

const isTime = (text: string) => /^[0-9]{1,2}:[0-9]{2}$/.test(text);
const padded = (time: string) => time.padStart(5, "0");

/** A day on a line: «2027-01-01:» is closed, «2027-05-09: 10:00–14:00» has hours of its own. */
export function daysOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  return Object.entries(value)
    .map(([day, hours]) => `${day}: ${intervalsOf(hours)}`.trim())
    .join("\n");
}

export function readDays(text: string): Readonly<Record<string, Intervals>> | undefined {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const days = lines.flatMap((line) => {
    const [, day, hours] = /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?::(.*))?$/.exec(line) ?? [];
    const intervals = readIntervals(hours ?? "");
    return day && intervals ? [[day, intervals] as const] : [];
  });
  return days.length === lines.length ? Object.fromEntries(days) : undefined;
}
