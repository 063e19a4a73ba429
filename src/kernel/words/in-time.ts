type Language = "ru" | "en";

const formats = { ru: relative("ru"), en: relative("en") } as const;

/** The number of seconds from which a unit is used. */
const units = [
  { unit: "day", seconds: 86_400, from: 2 * 86_400 },
  { unit: "hour", seconds: 3_600, from: 5_400 },
  { unit: "minute", seconds: 60, from: 90 },
  { unit: "second", seconds: 1, from: 0 },
] as const;

/** `через 5 часов`, `in 25 seconds`: rounded up, so that nobody comes back too early. */
export function inTime(seconds: number, language: Language): string {
  const { count, unit } = inUnits(seconds, Math.ceil);
  return formats[language].format(count, unit);
}

/** `5 часов`, `1 минуту`, `25 seconds`: a duration, to the nearest unit. */
export function lasting(seconds: number, language: Language): string {
  const { count, unit } = inUnits(seconds, Math.round);
  // Only the relative format has the accusative that Russian needs here; its first part is the preposition.
  const [, ...said] = formats[language].formatToParts(count, unit);
  return said.map(({ value }) => value).join("");
}

function inUnits(seconds: number, rounded: (count: number) => number) {
  const time = Math.max(1, seconds);
  const { unit, seconds: length } = units.find(({ from }) => time >= from) ?? units[3];
  return { count: rounded(time / length), unit };
}

function relative(language: Language): Intl.RelativeTimeFormat {
  return new Intl.RelativeTimeFormat(language, { numeric: "always" });
}
