/** The time zone of a project's schedules. */
import type { Language } from "../../../dialogs/index.ts";
import { type Texts, texts } from "../texts/index.ts";

/** From west to east, by the name that the button's address and the texts have. */
const names = {
  kaliningrad: "Europe/Kaliningrad",
  moscow: "Europe/Moscow",
  samara: "Europe/Samara",
  yekaterinburg: "Asia/Yekaterinburg",
  omsk: "Asia/Omsk",
  novosibirsk: "Asia/Novosibirsk",
  krasnoyarsk: "Asia/Krasnoyarsk",
  irkutsk: "Asia/Irkutsk",
  yakutsk: "Asia/Yakutsk",
  vladivostok: "Asia/Vladivostok",
  magadan: "Asia/Magadan",
  kamchatka: "Asia/Kamchatka",
} as const satisfies Record<keyof Texts["projects"]["cities"], string>;

export const russianZones = Object.entries(names).map(([key, name]) => ({ key, name }));

/** The city with its offset, `Moscow (UTC+3)`; the name itself if it is none of these. */
export function zoneLabel(name: string, language: Language, now: Date): string {
  const { cities } = texts[language].projects;
  const key = russianZones.find((zone) => zone.name === name)?.key;
  const city = Object.entries(cities).find(([each]) => each === key)?.[1];
  return `${city ?? name} (${offsetOf(name, now)})`;
}

function offsetOf(timeZone: string, now: Date): string {
  if (zoneIn(timeZone) === undefined) return "UTC?";
  const parts = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "shortOffset" }).formatToParts(now);
  return (parts.find(({ type }) => type === "timeZoneName")?.value ?? "GMT").replace("GMT", "UTC");
}

const longest = 50;

/** An IANA name in its usual spelling; undefined if there is no such zone. Offsets without a place are none. */
export function zoneIn(typed: string): string | undefined {
  const name = typed.trim();
  if (name.length > longest || !/^[a-z]+(?:[/_+-][a-z0-9]+)*$/i.test(name)) return undefined;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
