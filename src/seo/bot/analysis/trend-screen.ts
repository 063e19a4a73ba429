/** The scores of all audits as a picture. */
import { type AuditScores, auditHistory, scoreNames } from "../../audits/audit-history.ts";
import { trendColours, trendPicture } from "../../audits/trend-picture.ts";
import { inStep, screen, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

export const trend = screen("project:{id}:audit:trend", {
  to: ["project:{id}:audit", "project:{id}:analysis"],
  async show({ id }, visit) {
    const history = await ifFound(() => auditHistory(inStep(visit).sql, whoseOf(visit), id));
    const [first, last] = [history?.[0], history?.at(-1)];
    if (!history || !first || !last) return undefined;
    const { analysis: say } = texts[visit.language];
    const day = new Intl.DateTimeFormat(visit.language === "ru" ? "ru-RU" : "en-GB", { dateStyle: "medium" });
    const lines = scoreNames.map((name) => {
      const label = { ...say.audit, best_practices: say.audit.practices, seo_score: say.audit.seo }[name];
      return `${trendColours[name].mark} ${label}: ${changeOf(first[name], last[name], say.audit.unknown)}`;
    });
    return {
      text: [
        say.trend.title(history.length, day.format(first.audited_at), day.format(last.audited_at)),
        lines.join("\n"),
      ].join("\n\n"),
      picture: { bytes: await trendPicture(history) },
      buttons: [
        [{ label: say.trend.toAudit, to: `project:${id}:audit` }],
        [{ label: say.toAnalysis, to: `project:${id}:analysis` }],
      ],
    };
  },
});

type Score = AuditScores["performance"];

const changeOf = (first: Score, last: Score, unknown: string) => {
  if (last === null) return unknown;
  return first === null || first === last ? String(last) : `${first} → ${last}`;
};
