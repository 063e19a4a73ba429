/** Google Search Console: clicks, impressions and mean places of a site's pages. */
import { z } from "zod";
import { parsedUrl } from "../../../kernel/url/index.ts";
import { type Attempt, ask } from "../ask.ts";
import type { SourceDeps } from "../deps.ts";
import type { PageDay, Property, SearchFigures } from "../figures.ts";
import { limits } from "../limits.ts";
import { attemptOf, requestJson } from "../request.ts";
import { lineOf, listOf, numberOrNull, objectOf, webAddress } from "../shapes.ts";
import { missing } from "../texts.ts";
import { createAccessTokens, type ServiceAccount } from "./access-token.ts";

export interface SearchConsoleAccount extends ServiceAccount {
  /** Without a trailing slash, such as `https://www.googleapis.com/webmasters/v3`. */
  readonly apiRoot: string;
}

const waitsMs = [2_000];
const timeoutMs = 60_000;
/** What one answer has at most. */
const rowsPerCall = 25_000;
/** A quarter of a million rows; a site with more has its first ones. */
const mostCalls = 10;

const sites = objectOf({
  siteEntry: listOf(objectOf({ siteUrl: lineOf(limits.url), permissionLevel: lineOf(60) })),
});
const count = numberOrNull.transform((value) => Math.max(0, Math.round(value ?? 0)));
const row = z.object({
  keys: z.tuple([z.iso.date(), webAddress]),
  clicks: count,
  impressions: count,
  position: numberOrNull,
});
const rows = objectOf({ rows: listOf(row) });

export function createSearchConsole(
  account: SearchConsoleAccount | undefined,
  deps: SourceDeps,
): SearchFigures {
  const tokens = account && createAccessTokens(account, deps);

  async function attempt<S extends z.ZodType>(
    path: string,
    body: object | undefined,
    shape: S,
  ): Promise<Attempt<z.output<S>>> {
    const held = await tokens?.current();
    if (held?.kind !== "token")
      return held ?? { kind: "end", reason: "off", detail: "no service account is set" };
    const answer = await requestJson(deps.http, {
      ...{ method: body ? "POST" : "GET", url: `${account?.apiRoot}${path}` },
      headers: { authorization: `Bearer ${held.token}` },
      ...(body && { body: JSON.stringify(body) }),
      ...{ timeoutMs, maxBytes: limits.maxBytes.report },
    });
    if (answer.kind !== "answer") return answer;
    if (answer.status === 200) return { kind: "done", value: shape.parse(answer.json), costUsd: 0 };
    const { message } = objectOf({ error: objectOf({ message: lineOf(300) }) }).parse(answer.json).error;
    if (answer.status !== 401) return attemptOf(answer, message);
    tokens?.forget();
    return { kind: "again", reason: "unavailable", detail: `HTTP 401: ${message}` };
  }

  return {
    async properties(payer) {
      if (!account) return missing("searchconsole", "off", "no service account is set");
      const answer = await ask(deps, "searchconsole", payer, waitsMs, () =>
        attempt("/sites", undefined, sites),
      );
      return answer.ok ? { ...answer, value: answer.value.siteEntry.flatMap(propertyOf) } : answer;
    },
    async pageDays(property, period, payer) {
      if (!account) return missing("searchconsole", "off", "no service account is set");
      const path = `/sites/${encodeURIComponent(property.id)}/searchAnalytics/query`;
      const days: PageDay[] = [];
      for (let calls = 0; ; calls += 1) {
        // Only final figures, which is what it tells unless asked otherwise.
        const body = {
          ...{ startDate: period.from, endDate: period.to, dimensions: ["date", "page"] },
          ...{ type: "web", rowLimit: rowsPerCall, startRow: calls * rowsPerCall },
        };
        const answer = await ask(deps, "searchconsole", payer, waitsMs, () => attempt(path, body, rows));
        if (!answer.ok) return answer;
        for (const { keys, ...figures } of answer.value.rows)
          days.push({ day: keys[0], url: keys[1], ...figures });
        if (answer.value.rows.length < rowsPerCall || calls + 1 >= mostCalls)
          return { ...answer, value: { covered: period, days } };
      }
    },
  };
}

/** A domain, or the addresses below one; those that the account has not verified are left out. */
function propertyOf({
  siteUrl,
  permissionLevel,
}: {
  readonly siteUrl: string;
  readonly permissionLevel: string;
}): Property[] {
  if (permissionLevel === "siteUnverifiedUser") return [];
  const domain = /^sc-domain:(.+)$/.exec(siteUrl)?.[1];
  if (domain !== undefined) return [{ id: siteUrl, host: domain.toLowerCase(), isDomain: true }];
  const url = parsedUrl(siteUrl);
  // A property of one folder tells nothing of the rest of the site.
  return url?.pathname === "/" ? [{ id: siteUrl, host: url.host, isDomain: false }] : [];
}
