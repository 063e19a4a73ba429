const zone = "Europe/Moscow";
const dayKey = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
const time = new Intl.DateTimeFormat("ru", { timeZone: zone, hour: "2-digit", minute: "2-digit" });
const thisYear = new Intl.DateTimeFormat("ru", { timeZone: zone, day: "numeric", month: "short" });
const otherYear = new Intl.DateTimeFormat("ru", {
  timeZone: zone,
  day: "numeric",
  month: "short",
  year: "numeric",
});

const dayMs = 86_400_000;

/** “сегодня в 12:05”, “вчера в 9:10”, “5 ноя. в 18:00”, “31 дек. 2025 г.” */
export function postDate(at: number, now: number): string {
  const day = dayKey.format(at);
  if (day === dayKey.format(now)) return `сегодня в ${time.format(at)}`;
  if (day === dayKey.format(now - dayMs)) return `вчера в ${time.format(at)}`;
  if (day.slice(0, 4) === dayKey.format(now).slice(0, 4))
    return `${thisYear.format(at)} в ${time.format(at)}`;
  return otherYear.format(at);
}
