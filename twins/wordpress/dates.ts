/** Dates of a site: stored as UTC, shown as local time of the site without a zone. */

export function localDate(at: number, zone: string): string {
  return iso(at + offsetAt(at, zone));
}

export const gmtDate = (at: number) => iso(at);

const iso = (at: number) => new Date(at).toISOString().slice(0, 19);

/** The zone's offset from UTC at this moment, in milliseconds. */
export function offsetAt(at: number, zone: string): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
    hourCycle: "h23",
  }).formatToParts(at);
  const part = (type: string) => Number(parts.find((each) => each.type === type)?.value);
  const local = Date.UTC(
    part("year"),
    part("month") - 1,
    part("day"),
    part("hour"),
    part("minute"),
    part("second"),
  );
  return local - Math.floor(at / 1000) * 1000;
}

const pattern = /^(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** The moment that a client gives; without a zone it is in the site's zone (`date`) or UTC (`date_gmt`). */
export function readDate(text: string, zone: string): number | undefined {
  const found = pattern.exec(text);
  if (!found) return undefined;
  const [, year, month, day, hour, minute, second, offset] = found.map((each) => each ?? "");
  const wall = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  );
  if (Number.isNaN(wall)) return undefined;
  if (!offset) return wall - offsetAt(wall - offsetAt(wall, zone), zone);
  if (/z/i.test(offset)) return wall;
  const sign = offset.startsWith("-") ? -1 : 1;
  const digits = offset.replace(/\D/g, "").padEnd(4, "0");
  return wall - sign * (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))) * 60_000;
}
