import type { HttpHead } from "../outbound/index.ts";
import { limits } from "./limits.ts";

/** For how long Sentry wants no errors, in milliseconds; undefined if it takes them. Limits may come with any answer. */
export function askedPause({ status, headers }: HttpHead, now: number): number | undefined {
  const limited = headers["x-sentry-rate-limits"];
  if (limited !== undefined) return longestOf(limited);
  return status === 429 ? untilRetry(headers["retry-after"], now) : undefined;
}

/** `60:error;transaction:organization:reason, 2700:session:…`: seconds, categories, scope. No category means all of them. */
function longestOf(header: string): number | undefined {
  const pauses = header.split(",").flatMap((limit) => {
    const [seconds = "", categories = ""] = limit.trim().split(":");
    const concerns = categories === "" || categories.split(";").includes("error");
    return concerns ? [/^\d+(\.\d+)?$/.test(seconds) ? Number(seconds) * 1_000 : limits.limitedMs] : [];
  });
  return pauses.length > 0 ? Math.max(...pauses) : undefined;
}

/** Seconds, or a date. */
function untilRetry(header: string | undefined, now: number): number {
  if (header !== undefined && /^\d+(\.\d+)?$/.test(header.trim())) return Number(header) * 1_000;
  const date = Date.parse(header ?? "");
  return Number.isNaN(date) ? limits.limitedMs : Math.max(0, date - now);
}
