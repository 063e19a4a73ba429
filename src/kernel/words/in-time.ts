type Language = "ru" | "en";

const formats = { ru: relative("ru"), en: relative("en") } as const;

/** From how many seconds on a unit is used: a minute and a half is said in minutes, not "90 seconds". */
const units = [
  { unit: "day", seconds: 86_400, from: 2 * 86_400 },
  { unit: "hour", seconds: 3_600, from: 5_400 },
  { unit: "minute", seconds: 60, from: 90 },
  { unit: "second", seconds: 1, from: 0 },
] as const;

/** `через 5 часов`, `in 25 seconds`: rounded up, so that nobody comes too early. */
export function inTime(seconds: number, language: Language): string {
  const wait = Math.max(1, seconds);
  const { unit, seconds: length } = units.find(({ from }) => wait >= from) ?? units[3];
  return formats[language].format(Math.ceil(wait / length), unit);
}

/** `5 часов`, `1 минуту`, `25 seconds`: as above, for how long something lasts. In Russian the case after "подождать". */
export function lasting(seconds: number, language: Language): string {
  return inTime(seconds, language).replace(/^(через|in) /, "");
}

function relative(language: Language): Intl.RelativeTimeFormat {
  return new Intl.RelativeTimeFormat(language, { numeric: "always" });
}
