import type { Language } from "../../../dialogs/index.ts";
import { cut } from "../../../kernel/words/index.ts";
import type { Audit } from "../../audits/shape.ts";
import { besides } from "../../sources/pagespeed/report.ts";
import { texts } from "../texts/index.ts";

const most = { advice: 5, title: 120, description: 250 } as const;

/** Four scores, the vitals that are known, and what to do first. */
export function auditText(audit: Audit, language: Language): string {
  const say = texts[language].analysis.audit;
  const number = new Intl.NumberFormat(language === "ru" ? "ru-RU" : "en-GB", { maximumFractionDigits: 2 });
  const day = new Intl.DateTimeFormat(language === "ru" ? "ru-RU" : "en-GB", { dateStyle: "long" });
  const score = (value: number | null) => (value === null ? say.unknown : `${mark(value)} ${value}/100`);
  const ms = (value: number | null) =>
    value === null ? say.unknown : say.seconds(number.format(value / 1000));
  const advice = audit.recommendations.slice(0, most.advice).map(({ title, description }) => {
    // Audits of the time before may hold the title twice.
    const plain = besides(title, description.replaceAll(/\[([^[\]]{1,200})\]\([^()]{0,500}\)/g, "$1").trim());
    return `• ${cut(title, most.title)}${plain === "" ? "" : ` — ${cut(plain, most.description)}`}`;
  });
  return [
    say.of(audit.url, day.format(audit.audited_at)),
    "",
    `${say.performance}: ${score(audit.performance)}`,
    `${say.accessibility}: ${score(audit.accessibility)}`,
    `${say.practices}: ${score(audit.best_practices)}`,
    `${say.seo}: ${score(audit.seo_score)}`,
    "",
    `LCP: ${ms(audit.lcp_ms)} · INP: ${ms(audit.inp_ms)} · TTFB: ${ms(audit.ttfb_ms)} · CLS: ${audit.cls === null ? say.unknown : number.format(audit.cls)}`,
    ...(advice.length === 0 ? [] : ["", say.advice, ...advice]),
  ].join("\n");
}

/** The bounds are PageSpeed's own. */
function mark(score: number): string {
  if (score >= 90) return "🟢";
  return score >= 50 ? "🟡" : "🔴";
}
