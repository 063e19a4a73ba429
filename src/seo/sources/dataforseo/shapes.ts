import { z } from "zod";
import { limits } from "../limits.ts";
import { lineOf, listOf, numberOrNull, objectOf } from "../shapes.ts";

export const intents = ["informational", "commercial", "transactional", "navigational"] as const;
export type Intent = (typeof intents)[number];

/** A phrase with what is known about it. Any figure may be unknown; an unknown one is null, never 0. */
export interface Keyword {
  readonly phrase: string;
  /** Searches a month in the country of the settings. */
  readonly volume: number | null;
  /** 0 to 100. */
  readonly difficulty: number | null;
  readonly cpcUsd: number | null;
  /** 0 to 1. */
  readonly competition: number | null;
  readonly intent: Intent | null;
}

const intent = z.enum(intents).nullable().catch(null);
const count = numberOrNull.transform((value) => (value !== null && value >= 0 ? Math.round(value) : null));
const within = (max: number) =>
  numberOrNull.transform((value) => (value !== null && value >= 0 && value <= max ? value : null));
const phrase = lineOf(limits.phrase).pipe(z.string().min(1));

/** The envelope: its own status, the task's, the cost, the result. */
export const envelope = objectOf({
  status_code: numberOrNull,
  status_message: lineOf(300),
  cost: numberOrNull,
  tasks: listOf(
    objectOf({
      status_code: numberOrNull,
      status_message: lineOf(300),
      cost: numberOrNull,
      result: z.array(z.unknown()).nullable().catch(null),
    }),
    1,
  ),
});

const keywordData = z
  .object({
    keyword: phrase,
    keyword_info: objectOf({ search_volume: count, cpc: within(100_000), competition: within(1) }),
    keyword_properties: objectOf({ keyword_difficulty: within(100) }),
    search_intent_info: objectOf({ main_intent: intent }),
  })
  .transform(
    ({ keyword, keyword_info: info, keyword_properties, search_intent_info }): Keyword => ({
      phrase: keyword,
      volume: info.search_volume,
      difficulty: keyword_properties.keyword_difficulty,
      cpcUsd: info.cpc,
      competition: info.competition,
      intent: search_intent_info.main_intent,
    }),
  );

const within1 = <S extends z.ZodType>(item: S) =>
  listOf(objectOf({ items: listOf(item) }), 1).transform(([first]) => first?.items ?? []);

/** What each endpoint has in `result`. */
export const results = {
  suggestions: within1(keywordData),
  related: within1(z.object({ keyword_data: keywordData }).transform(({ keyword_data }) => keyword_data)),
  difficulties: within1(z.object({ keyword: phrase, keyword_difficulty: within(100) })),
  intents: within1(z.object({ keyword: phrase, keyword_intent: objectOf({ label: intent }) })),
  /** A flat list, where competition is a level in words and a number from 0 to 100. */
  volumes: listOf(
    z.object({
      keyword: phrase,
      search_volume: count,
      cpc: within(100_000),
      competition_index: within(100),
    }),
  ),
};
