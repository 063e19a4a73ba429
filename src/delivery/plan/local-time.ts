/** `2026-11-15 15:00:00`: the moment on the clock of a time zone. */
export function localTime(at: Date, zone: string): string {
  const known = formats.get(zone);
  const format = known ?? formatOf(zone);
  if (!known) formats.set(zone, format);
  return format.format(at).replace(", ", " ");
}

/** Creating one takes longer than hundreds of uses. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  // The Swedish order is that of ISO 8601.
  return new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
}
