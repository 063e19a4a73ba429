/** Yandex Webmaster: clicks, impressions and places of a site's pages in the last two weeks, which is all that it keeps. */
import { z } from "zod";
import { parsedUrl } from "../../../kernel/url/index.ts";
import { type Attempt, ask } from "../ask.ts";
import type { SourceDeps } from "../deps.ts";
import type { PageDay, Property, SearchFigures } from "../figures.ts";
import { limits } from "../limits.ts";
import { attemptOf, requestJson } from "../request.ts";
import type { Payer } from "../result.ts";
import { lineOf, listOf, numberOrNull, objectOf, webAddress } from "../shapes.ts";
import { missing } from "../texts.ts";

export interface WebmasterAccount {
  /** OAuth, of the Yandex account to which sites are delegated. */
  readonly token: string;
  /** The login of that account, which its API does not tell. */
  readonly login?: string | undefined;
  /** Without a trailing slash, such as `https://api.webmaster.yandex.net/v4`. */
  readonly apiRoot: string;
}

const waitsMs = [2_000];
const timeoutMs = 60_000;
/** What one answer has at most. */
const pagesPerCall = 500;
const mostCalls = 40;

const user = objectOf({ user_id: numberOrNull });
const hosts = objectOf({
  hosts: listOf(
    objectOf({
      host_id: lineOf(500),
      ascii_host_url: lineOf(limits.url),
      verified: z.boolean().catch(false),
    }),
  ),
});
const statistic = z.object({ date: z.iso.date(), field: z.string(), value: z.number() });
const listed = objectOf({
  count: numberOrNull,
  text_indicator_to_statistics: listOf(
    z.object({ text_indicator: z.object({ value: webAddress }), statistics: listOf(statistic) }),
  ),
});

export function createWebmaster(account: WebmasterAccount | undefined, deps: SourceDeps): SearchFigures {
  let userId: number | undefined;

  function call<S extends z.ZodType>(path: string, body: object | undefined, shape: S, payer: Payer) {
    return ask(deps, "webmaster", payer, waitsMs, () => attempt(account, deps, path, body, shape));
  }

  /** The account's number is part of every path. */
  async function person(payer: Payer) {
    if (userId !== undefined) return userId;
    const answer = await call("/user", undefined, user, payer);
    if (!answer.ok) return answer;
    const { user_id } = answer.value;
    if (user_id === null) return missing("webmaster", "unavailable", "the account has no number");
    userId = user_id;
    return user_id;
  }

  return {
    async properties(payer) {
      const id = await person(payer);
      if (typeof id !== "number") return id;
      const answer = await call(`/user/${id}/hosts`, undefined, hosts, payer);
      return answer.ok ? { ...answer, value: answer.value.hosts.flatMap(propertyOf) } : answer;
    },
    async pageDays(property, period, payer) {
      const id = await person(payer);
      if (typeof id !== "number") return id;
      const path = `/user/${id}/hosts/${encodeURIComponent(property.id)}/query-analytics/list`;
      const found: z.output<typeof listed>["text_indicator_to_statistics"] = [];
      for (let calls = 0; ; calls += 1) {
        const body = {
          ...{ offset: calls * pagesPerCall, limit: pagesPerCall },
          ...{ device_type_indicator: "ALL", text_indicator: "URL" },
        };
        const answer = await call(path, body, listed, payer);
        if (!answer.ok) return answer;
        const { text_indicator_to_statistics: pages, count } = answer.value;
        found.push(...pages);
        if (pages.length === 0 || found.length >= (count ?? 0) || calls + 1 >= mostCalls)
          return { ...answer, value: figuresOf(found, period) };
      }
    },
  };
}

type Pages = z.output<typeof listed>["text_indicator_to_statistics"];

/** It tells all the days it has; those of the period are kept. */
function figuresOf(pages: Pages, { from, to }: { readonly from: string; readonly to: string }) {
  const days: PageDay[] = [];
  const told: string[] = [];
  for (const { text_indicator, statistics } of pages) {
    for (const day of new Set(statistics.map(({ date }) => date))) {
      if (day < from || day > to) continue;
      const fields = statistics.filter(({ date }) => date === day);
      const figure = (name: string) => fields.find(({ field }) => field === name)?.value;
      told.push(day);
      days.push({
        ...{ url: text_indicator.value, day, clicks: whole(figure("CLICKS")) },
        ...{ impressions: whole(figure("IMPRESSIONS")), position: figure("POSITION") ?? null },
      });
    }
  }
  const ordered = told.toSorted();
  const [first, last] = [ordered[0], ordered.at(-1)];
  return { covered: first && last ? { from: first, to: last } : null, days };
}

const whole = (value: number | undefined) => Math.max(0, Math.round(value ?? 0));

async function attempt<S extends z.ZodType>(
  account: WebmasterAccount | undefined,
  { http }: SourceDeps,
  path: string,
  body: object | undefined,
  shape: S,
): Promise<Attempt<z.output<S>>> {
  if (!account) return { kind: "end", reason: "off", detail: "no token is set" };
  const answer = await requestJson(http, {
    ...{ method: body ? "POST" : "GET", url: `${account.apiRoot}${path}` },
    headers: { authorization: `OAuth ${account.token}` },
    ...(body && { body: JSON.stringify(body) }),
    ...{ timeoutMs, maxBytes: limits.maxBytes.report },
  });
  if (answer.kind !== "answer") return answer;
  if (answer.status === 200) return { kind: "done", value: shape.parse(answer.json), costUsd: 0 };
  const { error_code, error_message } = objectOf({
    error_code: lineOf(100),
    error_message: lineOf(300),
  }).parse(answer.json);
  return attemptOf(answer, `${error_code} ${error_message}`.trim());
}

function propertyOf({
  host_id,
  ascii_host_url,
  verified,
}: {
  readonly host_id: string;
  readonly ascii_host_url: string;
  readonly verified: boolean;
}): Property[] {
  const host = parsedUrl(ascii_host_url)?.host;
  return verified && host ? [{ id: host_id, host, isDomain: false }] : [];
}
