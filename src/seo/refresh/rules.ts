/** When a page counts as losing its readers. */
export const refreshRules = {
  /** Days that are compared with as many before them. */
  days: 28,
  /** The part of its clicks that a page must have lost. */
  fall: 0.2,
  /** Fewer clicks than this before the fall say nothing. */
  leastClicks: 10,
  /** The same weekday, a year ago. */
  yearDays: 364,
} as const;

/** How long days are kept: a year ago has to be told, with both of its windows. */
export const keptDays = refreshRules.yearDays + 2 * refreshRules.days + 10;

export const engines = ["google", "yandex"] as const;
export type Engine = (typeof engines)[number];
