import { chanceOf } from "../web/chance.ts";
import { figuresOf } from "../web/figures.ts";
import { intentOf, isUnknown, relatedTo, suggestionsFor } from "../web/phrases.ts";
import { questionsFor } from "../web/results.ts";
import { limits, prices } from "./limits.ts";
import type { PlacedPage } from "./model.ts";
import { type Serp, serpOf } from "./serp.ts";
import { readTask, shapes } from "./task.ts";

export interface Done {
  readonly result: readonly unknown[] | null;
  readonly cost: number;
}

export interface DataCall {
  /** Google Ads takes a dozen calls a minute; the others are not counted. */
  readonly ads?: boolean;
  run(task: unknown, now: Date, placed: readonly PlacedPage[]): Done;
}

const labs = "/dataforseo_labs/google";

export const calls: Readonly<Record<string, DataCall>> = {
  [`${labs}/keyword_suggestions/live`]: {
    run(given, now) {
      const task = readTask(shapes.suggestions, given);
      const all = suggestionsFor(task.keyword);
      const page = all.slice(task.offset, task.offset + task.limit);
      const seen = (phrase: string) => keywordData(phrase, task.location_code, now);
      const items = page.map(seen);
      return {
        cost: labsCost(items),
        result: [
          {
            se_type: "google",
            seed_keyword: task.keyword,
            seed_keyword_data: task.include_seed_keyword && all.length > 0 ? seen(task.keyword) : null,
            location_code: task.location_code,
            language_code: task.language_code,
            total_count: all.length,
            items_count: items.length,
            offset: task.offset,
            offset_token: null,
            items: items.length > 0 ? items : null,
          },
        ],
      };
    },
  },
  [`${labs}/related_keywords/live`]: {
    run(given, now) {
      const task = readTask(shapes.related, given);
      const all = relatedOf(task.keyword, task.depth).slice(0, limits.byDepth[task.depth]);
      const items = all.slice(task.offset, task.offset + task.limit).map(({ phrase, depth }) => ({
        se_type: "google",
        keyword_data: keywordData(phrase, task.location_code, now),
        depth,
        related_keywords: chanceOf("related", phrase).below(6) === 0 ? null : relatedTo(phrase),
      }));
      return {
        cost: labsCost(items),
        result: [
          {
            se_type: "google",
            seed_keyword: task.keyword,
            location_code: task.location_code,
            language_code: task.language_code,
            total_count: all.length,
            items_count: items.length,
            items: items.length > 0 ? items : null,
          },
        ],
      };
    },
  },
  [`${labs}/keyword_overview/live`]: {
    run(given, now) {
      const task = readTask(shapes.overview, given);
      return listed(known(task.keywords).map((each) => keywordData(each, task.location_code, now)));
    },
  },
  [`${labs}/bulk_keyword_difficulty/live`]: {
    run(given) {
      const task = readTask(shapes.difficulty, given);
      return listed(
        known(task.keywords).map((each) => ({
          se_type: "google",
          keyword: each,
          keyword_difficulty: figuresOf(each, String(task.location_code)).difficulty,
        })),
      );
    },
  },
  [`${labs}/search_intent/live`]: {
    run(given) {
      const task = readTask(shapes.intent, given);
      const items = known(task.keywords).map((each) => ({
        keyword: each,
        keyword_intent: {
          label: intentOf(each),
          probability: chanceOf("intent", each).between(55, 99) / 100,
        },
        secondary_keyword_intents:
          chanceOf("second", each).below(3) === 0 ? [{ label: "commercial", probability: 0.21 }] : null,
      }));
      return { ...listed(items), cost: prices.intentTask + items.length * prices.item };
    },
  },
  "/keywords_data/google_ads/search_volume/live": {
    ads: true,
    run(given, now) {
      const task = readTask(shapes.volume, given);
      const result = [...new Set(task.keywords)].map((each) => {
        const figures = figuresOf(each, String(task.location_code ?? "world"));
        return {
          keyword: each,
          spell: null,
          location_code: task.location_code ?? null,
          language_code: task.language_code ?? null,
          search_partners: false,
          competition: levelOf(figures.competition),
          competition_index: figures.competition === null ? null : Math.round(figures.competition * 100),
          search_volume: figures.volume,
          low_top_of_page_bid: figures.bids?.low ?? null,
          high_top_of_page_bid: figures.bids?.high ?? null,
          cpc: figures.cpc,
          monthly_searches: figures.volume === null ? null : monthsOf(figures.volume, now),
        };
      });
      return { cost: prices.adsCall, result };
    },
  },
  "/serp/google/organic/live/advanced": {
    run(given, now, placed) {
      const { stop_crawl_on_match: stopOn, ...task } = readTask(shapes.organic, given);
      const serp = serpOf({ ...task, stopOn }, placed);
      const asked = questionsFor(task.keyword).map((each) => ({
        type: "people_also_ask_element",
        title: each.question,
      }));
      const boxes = asked.length > 0 ? [{ type: "people_also_ask", items: asked }] : [];
      return serpDone(serp, boxes, task.keyword, now);
    },
  },
  "/serp/google/organic/live/regular": {
    run(given, now, placed) {
      const { stop_crawl_on_match: stopOn, ...task } = readTask(shapes.regular, given);
      return serpDone(serpOf({ ...task, stopOn }, placed), [], task.keyword, now);
    },
  },
};

/** Keywords of which nothing is known are left out. */
const known = (keywords: readonly string[]) => [...new Set(keywords)].filter((each) => !isUnknown(each));

function listed(items: readonly unknown[]): Done {
  return {
    cost: labsCost(items),
    result: [
      {
        se_type: "google",
        total_count: items.length,
        items_count: items.length,
        items: items.length > 0 ? items : null,
      },
    ],
  };
}

function serpDone(serp: Serp, boxes: readonly { type: string }[], keyword: string, now: Date): Done {
  const items = [...serp.items, ...boxes];
  return {
    cost: prices.serpPage + prices.serpNext * (serp.pages - 1),
    result: [
      {
        keyword,
        type: "organic",
        se_domain: "google.com",
        datetime: stamp(now),
        item_types: [...new Set(items.map(({ type }) => type))],
        se_results_count: serp.items.length * 12_000,
        pages_count: serp.pages,
        items_count: items.length,
        items: items.length > 0 ? items : null,
      },
    ],
  };
}

const labsCost = (items: readonly unknown[]) => prices.task + items.length * prices.item;

function relatedOf(seed: string, depth: number): { phrase: string; depth: number }[] {
  const found = new Map<string, number>();
  let level = isUnknown(seed) ? [] : [seed];
  for (let at = 0; at <= depth && level.length > 0; at += 1) {
    for (const phrase of level) if (!found.has(phrase)) found.set(phrase, at);
    if (found.size > (limits.byDepth[depth] ?? 0)) break;
    level = level.flatMap((phrase) => [...relatedTo(phrase), ...suggestionsFor(phrase, 8)]);
  }
  return [...found].map(([phrase, at]) => ({ phrase, depth: at }));
}

function keywordData(phrase: string, location: number, now: Date) {
  const figures = figuresOf(phrase, String(location));
  const hasInfo = chanceOf("info", phrase).below(40) > 0;
  return {
    se_type: "google",
    keyword: phrase,
    location_code: location,
    language_code: "ru",
    keyword_info: hasInfo
      ? {
          se_type: "google",
          last_updated_time: stamp(now),
          competition: figures.competition,
          competition_level: levelOf(figures.competition),
          cpc: figures.cpc,
          search_volume: figures.volume,
          low_top_of_page_bid: figures.bids?.low ?? null,
          high_top_of_page_bid: figures.bids?.high ?? null,
          categories: null,
          monthly_searches: figures.volume === null ? null : monthsOf(figures.volume, now),
          search_volume_trend: { monthly: 0, quarterly: -18, yearly: 22 },
        }
      : null,
    keyword_properties: {
      se_type: "google",
      core_keyword: null,
      keyword_difficulty: figures.difficulty,
      detected_language: "ru",
      is_another_language: false,
      words_count: phrase.split(" ").length,
    },
    serp_info: null,
    avg_backlinks_info: null,
    search_intent_info:
      figures.intent === null
        ? null
        : {
            se_type: "google",
            main_intent: figures.intent,
            foreign_intent: null,
            last_updated_time: stamp(now),
          },
  };
}

function levelOf(competition: number | null): "LOW" | "MEDIUM" | "HIGH" | null {
  if (competition === null) return null;
  if (competition < 0.34) return "LOW";
  return competition < 0.67 ? "MEDIUM" : "HIGH";
}

function monthsOf(volume: number, now: Date): { year: number; month: number; search_volume: number }[] {
  return Array.from({ length: 12 }, (_, ago) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - ago, 1));
    return { year: month.getUTCFullYear(), month: month.getUTCMonth() + 1, search_volume: volume };
  });
}

const stamp = (now: Date) => `${now.toISOString().slice(0, 19).replace("T", " ")} +00:00`;
