import { z } from "zod";
import { limits } from "../limits.ts";
import { isObject, lineOf, numberOrNull, objectOf } from "../shapes.ts";

export interface Recommendation {
  readonly title: string;
  readonly description: string;
  readonly priority: "high" | "medium" | "low";
}

export interface SiteAudit {
  readonly url: string;
  /** 0 to 100; null if it could not be computed in time. */
  readonly scores: {
    readonly performance: number | null;
    readonly seo: number | null;
    readonly accessibility: number | null;
    readonly bestPractices: number | null;
  };
  readonly vitals: Vitals;
  /** The most important first. */
  readonly recommendations: readonly Recommendation[];
  /** A part of the report did not come in time. */
  readonly partial: boolean;
  /** The report without its pictures, for storage. */
  readonly report: Readonly<Record<string, unknown>>;
}

export interface Vitals {
  /** `field`: of real visitors in the last 28 days; `lab`: of one measured visit, for sites with few visitors. */
  readonly from: "field" | "lab" | "none";
  readonly lcpMs: number | null;
  readonly inpMs: number | null;
  readonly ttfbMs: number | null;
  readonly cls: number | null;
}

const most = 20;

/** One audit from the parts of a report that came. */
export function auditFrom(
  url: string,
  parts: readonly Readonly<Record<string, unknown>>[],
  partial: boolean,
): SiteAudit {
  const report = merged(parts);
  const { categories, audits } = objectOf({ lighthouseResult: lighthouse }).parse(report).lighthouseResult;
  const score = (name: string) => {
    const { score: given } = category.parse(categories[name]);
    return given === null || given < 0 || given > 1 ? null : Math.round(given * 100);
  };
  return {
    url,
    scores: {
      performance: score("performance"),
      seo: score("seo"),
      accessibility: score("accessibility"),
      bestPractices: score("best-practices"),
    },
    vitals: vitalsOf(report, audits),
    recommendations: recommendationsIn(audits),
    partial,
    report,
  };
}

const anyRecord = z.preprocess((value) => (isObject(value) ? value : {}), z.record(z.string(), z.unknown()));
const lighthouse = objectOf({ categories: anyRecord, audits: anyRecord });
const category = objectOf({ score: numberOrNull });

/** Pictures of the page, which make most of a report's bytes. */
const pictures = ["screenshot-thumbnails", "final-screenshot", "full-page-screenshot"];

function merged(parts: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> {
  const results = parts.map((part) => anyRecord.parse(part.lighthouseResult));
  const audits = Object.assign({}, ...results.map((each) => anyRecord.parse(each.audits)));
  for (const name of pictures) delete audits[name];
  const { fullPageScreenshot: _, ...result } = Object.assign({}, ...results);
  return {
    ...Object.assign({}, ...parts),
    lighthouseResult: {
      ...result,
      categories: Object.assign({}, ...results.map((each) => anyRecord.parse(each.categories))),
      audits,
    },
  };
}

const percentile = objectOf({ percentile: numberOrNull }).transform((metric) => positive(metric.percentile));
const experience = objectOf({
  metrics: objectOf({
    LARGEST_CONTENTFUL_PAINT_MS: percentile,
    INTERACTION_TO_NEXT_PAINT: percentile,
    EXPERIMENTAL_TIME_TO_FIRST_BYTE: percentile,
    CUMULATIVE_LAYOUT_SHIFT_SCORE: percentile,
  }),
});

function vitalsOf(
  report: Readonly<Record<string, unknown>>,
  audits: Readonly<Record<string, unknown>>,
): Vitals {
  // Of the page itself, or of its whole site if too few people visit the page.
  for (const name of ["loadingExperience", "originLoadingExperience"]) {
    const { metrics } = experience.parse(report[name]);
    if (metrics.LARGEST_CONTENTFUL_PAINT_MS === null && metrics.CUMULATIVE_LAYOUT_SHIFT_SCORE === null)
      continue;
    const shift = metrics.CUMULATIVE_LAYOUT_SHIFT_SCORE;
    return {
      from: "field",
      lcpMs: metrics.LARGEST_CONTENTFUL_PAINT_MS,
      inpMs: metrics.INTERACTION_TO_NEXT_PAINT,
      ttfbMs: metrics.EXPERIMENTAL_TIME_TO_FIRST_BYTE,
      cls: shift === null ? null : shift / 100,
    };
  }
  const measured = (name: string) =>
    positive(objectOf({ numericValue: numberOrNull }).parse(audits[name]).numericValue);
  const rounded = (value: number | null) => (value === null ? null : Math.round(value));
  const lcpMs = rounded(measured("largest-contentful-paint"));
  const cls = measured("cumulative-layout-shift");
  return {
    from: lcpMs === null && cls === null ? "none" : "lab",
    lcpMs,
    // Nobody taps in the laboratory.
    inpMs: null,
    ttfbMs: rounded(measured("server-response-time")),
    cls: cls === null ? null : Math.round(cls * 1000) / 1000,
  };
}

const positive = (value: number | null) => (value !== null && value >= 0 ? value : null);

const audit = objectOf({
  title: lineOf(limits.title),
  description: lineOf(limits.snippet),
  score: numberOrNull,
  scoreDisplayMode: lineOf(40),
  details: objectOf({ overallSavingsMs: numberOrNull }),
});

/** Metrics are told as figures, not as something to do. */
const metrics = [
  ...["largest-contentful-paint", "cumulative-layout-shift", "total-blocking-time", "first-contentful-paint"],
  ...["speed-index", "interactive", "max-potential-fid"],
];
/** Below it Lighthouse calls an audit not passed. */
const passed = 0.9;

/** A description that says something else than its title; empty if it does not. */
export function besides(title: string, description: string): string {
  const bare = (text: string) =>
    text
      .toLowerCase()
      .replaceAll(/[\s.!:;,]+/g, " ")
      .trim();
  return bare(description) === bare(title) ? "" : description;
}

function recommendationsIn(audits: Readonly<Record<string, unknown>>): Recommendation[] {
  return Object.entries(audits)
    .filter(([name]) => !metrics.includes(name))
    .map(([, given]) => audit.parse(given))
    .filter(
      ({ title, score, scoreDisplayMode }) =>
        title && score !== null && score < passed && scoreDisplayMode !== "informative",
    )
    .map((each) => ({ ...each, savedMs: each.details.overallSavingsMs ?? 0, score: each.score ?? 0 }))
    .sort((left, right) => right.savedMs - left.savedMs || left.score - right.score)
    .slice(0, most)
    .map(({ title, description, savedMs, score }) => ({
      title,
      // What follows is a link to an English page.
      description: besides(title, (description.split("[")[0] ?? "").trim()),
      priority: savedMs >= 500 ? "high" : savedMs > 0 || score < 0.5 ? "medium" : "low",
    }));
}
