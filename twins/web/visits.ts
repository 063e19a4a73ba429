/** Readers that a page of a site has had from a search engine, day by day. */
import { z } from "zod";

export interface Visits {
  readonly url: string;
  /** The day of the first figure. */
  readonly from: string;
  readonly clicks: readonly number[];
  readonly position: number;
}

export const visitsBody = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  from: z.iso.date(),
  clicks: z.array(z.int().min(0)).max(1_000),
  position: z.number().min(1).default(5),
});

export interface VisitsOfDay {
  readonly url: string;
  readonly day: string;
  readonly clicks: number;
  readonly impressions: number;
  readonly position: number;
}

const dayMs = 86_400_000;
export const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
export const daysBefore = (now: number, days: number) => dayOf(now - days * dayMs);

/** Of the days from one to the other, both included. A page is seen by twenty for each that comes, and by a few when nobody does. */
export function visitsBetween(pages: readonly Visits[], from: string, to: string): VisitsOfDay[] {
  return pages.flatMap(({ url, from: first, clicks, position }) =>
    clicks.flatMap((count, at) => {
      const day = dayOf(Date.parse(first) + at * dayMs);
      return day < from || day > to
        ? []
        : [{ url, day, clicks: count, impressions: count * 20 + 3, position }];
    }),
  );
}
