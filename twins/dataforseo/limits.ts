/** Of API v3, as its documents have them in November 2026. */
export const limits = {
  limit: 1000,
  depth: 4,
  /** Keywords that a depth of related searches returns at most. */
  byDepth: [1, 8, 72, 584, 4680],
  keyword: { length: 80, words: 10 },
  keywords: { overview: 700, difficulty: 1000, volume: 1000, intent: 1000 },
  adsPerMinute: 12,
  serp: { keyword: 700, depth: 200, targets: 10 },
} as const;

/** In dollars. */
export const prices = {
  task: 0.01,
  item: 0.0001,
  adsCall: 0.075,
  intentTask: 0.001,
  serpPage: 0.002,
  /** Each page of results after the first. */
  serpNext: 0.0015,
} as const;

/** Countries of Google that are served. Russia (2643) is not. */
export const locations = [
  { location_name: "Ukraine", location_code: 2804, country_iso_code: "UA" },
  { location_name: "Kazakhstan", location_code: 2398, country_iso_code: "KZ" },
  { location_name: "Belarus", location_code: 2112, country_iso_code: "BY" },
  { location_name: "United States", location_code: 2840, country_iso_code: "US" },
] as const;

export const languages = ["ru", "en", "uk"] as const;
