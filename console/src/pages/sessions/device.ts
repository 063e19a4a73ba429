/** What a browser says of itself, in words; the order matters, because browsers name each other. */
const browsers = [
  ["YaBrowser/", "Yandex Browser"],
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;

const systems = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

export interface Device {
  readonly browser: string | null;
  readonly system: string | null;
}

export function deviceOf(userAgent: string | null): Device {
  const named = (marks: readonly (readonly [string, string])[]) =>
    marks.find(([mark]) => userAgent?.includes(mark))?.[1] ?? null;
  return { browser: named(browsers), system: named(systems) };
}
