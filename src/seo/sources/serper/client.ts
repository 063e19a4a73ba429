import { z } from "zod";
import { type Attempt, ask } from "../ask.ts";
import type { SourceDeps } from "../deps.ts";
import { limits } from "../limits.ts";
import type { Remembering } from "../remembered.ts";
import { attemptOf, requestJson } from "../request.ts";
import type { Payer, Sourced } from "../result.ts";
import { isObject, lineOf, listOf, numberOrNull, objectOf, webAddress } from "../shapes.ts";
import { missing } from "../texts.ts";

export interface SerperAccount {
  readonly apiKey: string;
  readonly apiRoot: string;
}

export interface SearchPage {
  readonly organic: readonly { readonly title: string; readonly link: string; readonly snippet: string }[];
  /** Questions that people also ask. */
  readonly questions: readonly {
    readonly question: string;
    readonly snippet: string;
    readonly link: string;
  }[];
  readonly related: readonly string[];
}

export interface Serper {
  /** The first ten results of Google in Russian, kept for a day. */
  search(query: string, payer: Payer): Promise<Sourced<SearchPage>>;
}

/** Two attempts. */
const waitsMs = [1_000];
const timeoutMs = 20_000;
const keptMs = 24 * 3_600_000;
/** By the plan; about a dollar for a thousand. */
const creditUsd = 0.001;

const page = objectOf({
  organic: listOf(
    z.object({ title: lineOf(limits.title), link: webAddress, snippet: lineOf(limits.snippet) }),
    10,
  ),
  peopleAlsoAsk: listOf(
    z.object({
      question: lineOf(limits.title).pipe(z.string().min(1)),
      snippet: lineOf(limits.snippet),
      link: webAddress.catch(""),
    }),
    10,
  ),
  relatedSearches: listOf(z.object({ query: lineOf(limits.phrase).pipe(z.string().min(1)) }), 20),
  credits: numberOrNull,
});

const stored = z.object({
  callId: z.string(),
  value: z.object({
    organic: z.array(z.object({ title: z.string(), link: z.string(), snippet: z.string() })),
    questions: z.array(z.object({ question: z.string(), snippet: z.string(), link: z.string() })),
    related: z.array(z.string()),
  }),
});

export function createSerper(
  account: SerperAccount | undefined,
  deps: SourceDeps,
  { remembered }: Remembering,
): Serper {
  return {
    async search(query, payer) {
      if (!account) return missing("serper", "off", "no key is set");
      const q = query.replace(/\s+/g, " ").trim().slice(0, 300);
      if (!q) return missing("serper", "no_data", "an empty query");
      return remembered({ kind: "serper", of: q.toLowerCase(), ttlMs: keptMs, shape: stored }, () =>
        ask(deps, "serper", payer, waitsMs, () => attempt(account, deps, q)),
      );
    },
  };
}

async function attempt(
  { apiKey, apiRoot }: SerperAccount,
  { http }: SourceDeps,
  q: string,
): Promise<Attempt<SearchPage>> {
  const answer = await requestJson(http, {
    method: "POST",
    url: `${apiRoot}/search`,
    headers: { "x-api-key": apiKey },
    body: JSON.stringify({ q, gl: "ru", hl: "ru", num: 10 }),
    timeoutMs,
    maxBytes: limits.maxBytes.small,
  });
  if (answer.kind !== "answer") return answer;
  const words = objectOf({ message: lineOf(300) }).parse(answer.json).message;
  // Serper says with 400 that credits are used up.
  if (answer.status === 400 && /credit/i.test(words)) return { kind: "end", reason: "quota", detail: words };
  if (answer.status !== 200) return attemptOf(answer, words);
  if (!isObject(answer.json)) return { kind: "again", reason: "unavailable", detail: "an unreadable answer" };
  const { organic, peopleAlsoAsk, relatedSearches, credits } = page.parse(answer.json);
  const costUsd = Math.max(0, credits ?? 1) * creditUsd;
  if (organic.length === 0) return { kind: "end", reason: "no_data", detail: "no results", costUsd };
  return {
    kind: "done",
    value: { organic, questions: peopleAlsoAsk, related: relatedSearches.map(({ query }) => query) },
    costUsd,
  };
}
