import type { AddressCheck } from "../address-check.ts";
import { type Attempt, ask, noteCall } from "../ask.ts";
import type { SourceDeps } from "../deps.ts";
import { limits } from "../limits.ts";
import { attemptOf, requestJson } from "../request.ts";
import type { Payer, Sourced } from "../result.ts";
import { isObject, lineOf, objectOf } from "../shapes.ts";
import { missing, refusedAddress } from "../texts.ts";
import { auditFrom, type SiteAudit } from "./report.ts";

export interface PageSpeedAccount {
  readonly apiKey: string;
  /** Without a trailing slash, such as `https://www.googleapis.com/pagespeedonline/v5`. */
  readonly apiRoot: string;
  /** The document's 30 s, unless a test is less patient. */
  readonly patienceMs?: number | undefined;
}

export interface PageSpeed {
  /**
   * Measures a page as a phone opens it. Speed is the slow part, so it is asked for apart from the rest: what has come
   * within 30 s is kept, and the audit says that it is partial.
   */
  audit(url: string, payer: Payer): Promise<Sourced<SiteAudit>>;
}

/** Two attempts. */
const waitsMs = [1_000];
const patienceMs = 30_000;

const parts = [["performance"], ["seo", "accessibility", "best-practices"]] as const;

export function createPageSpeed(
  account: PageSpeedAccount | undefined,
  deps: SourceDeps,
  check: AddressCheck,
): PageSpeed {
  return {
    async audit(url, payer) {
      if (!account) return missing("pagespeed", "off", "no key is set");
      const refusal = url.length > limits.url ? "the address is too long" : await check(url);
      if (refusal) return refusedAddress("pagespeed", refusal);
      // The parts are one call in the books: it is free, and both are the same audit.
      const quiet = { ...deps, noteCost: async () => {} };
      const answers = await Promise.all(
        parts.map((categories) =>
          ask(quiet, "pagespeed", payer, waitsMs, () => attempt(account, deps, url, categories)),
        ),
      );
      const came = answers.filter((answer) => answer.ok);
      const [failed] = answers.filter((answer) => !answer.ok);
      if (came.length === 0 && failed) return failed;
      const callId = `pagespeed-${deps.newId()}`;
      await noteCall(deps, "pagespeed", payer, callId, 0);
      const value = auditFrom(
        url,
        came.map((part) => part.value),
        failed !== undefined,
      );
      return { ok: true, value, costUsd: 0, cached: false, callId };
    },
  };
}

async function attempt(
  { apiKey, apiRoot, patienceMs: given = patienceMs }: PageSpeedAccount,
  { http }: SourceDeps,
  url: string,
  categories: readonly string[],
): Promise<Attempt<Readonly<Record<string, unknown>>>> {
  const query = new URLSearchParams({ url, strategy: "mobile", locale: "ru", key: apiKey });
  for (const category of categories) query.append("category", category);
  const answer = await requestJson(http, {
    method: "GET",
    url: `${apiRoot}/runPagespeed?${query}`,
    timeoutMs: given,
    maxBytes: limits.maxBytes.report,
  });
  // Who did not answer in time would not do so in a second time either.
  if (answer.kind === "again" && answer.timedOut)
    return { kind: "end", reason: "unavailable", detail: answer.detail };
  if (answer.kind !== "answer") return answer;
  const { message } = objectOf({ error: objectOf({ message: lineOf(300) }) }).parse(answer.json).error;
  if (answer.status !== 200) return attemptOf(answer, message);
  if (!isObject(answer.json)) return { kind: "again", reason: "unavailable", detail: "an unreadable answer" };
  return { kind: "done", value: { ...answer.json }, costUsd: 0 };
}
