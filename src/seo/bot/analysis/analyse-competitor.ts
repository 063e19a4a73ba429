/** Compares a competitor's site with the project: the address, its check, the price, the wait, the findings. */
import { z } from "zod";
import type { StepContext } from "../../../dialogs/index.ts";
import { competitorResult } from "../../competitors/competitor-run.ts";
import { competitorUrl, orderCompetitor } from "../../competitors/order-competitor.ts";
import { siteState } from "../connections/site-answers.ts";
import { inactivity, keepHours } from "../limits.ts";
import { receiptText } from "../runs/receipt.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { type BotServices, flow, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import { competitorText } from "./competitor-text.ts";
import { costText, isShort, nothingPaid, paidShape, readPaid } from "./paid-work.ts";
import { ranFor } from "./run-audit.ts";

const competitorData = z.object({ ...paidShape, url: z.string(), report: z.string() });
type CompetitorData = z.infer<typeof competitorData>;
type Turn = StepContext<CompetitorData, BotServices>;

export const analyseCompetitor = flow({
  name: "CompetitorAnalysis",
  title: both((t) => t.analysis.competitor.flow),
  data: competitorData,
  empty: { ...nothingPaid, url: "", report: "" },
  first: "url",
  // What was found is kept with the project: whoever looks elsewhere loses nothing.
  rivals: (_, state) => (state === "results" ? "yield" : "replace"),
  inactivity,
  keep: { hours: keepHours, when: (_, state) => state === "analyzing" },
  states: {
    url: {
      ask: both((t) => t.analysis.competitor.url),
      prepare: {
        to: ["screen:dashboard", "screen:project:{id}:analysis"],
        async take(turn) {
          const { projectId } = turn.data;
          const found = await readPaid(turn, projectId, "competitor_analysis");
          if (!found) return { to: "screen:dashboard" };
          if (!turn.services.sources.isOn("firecrawl"))
            return {
              to: `screen:project:${projectId}:analysis`,
              notice: texts[turn.language].analysis.competitor.off,
            };
          return { data: found.paid };
        },
      },
      text: {
        to: "checking",
        take({ language }, typed) {
          const read = competitorUrl.safeParse(typed);
          return read.success
            ? { data: { url: read.data } }
            : { refuse: texts[language].analysis.competitor.urlFault };
        },
      },
    },
    checking: {
      ask: both((t) => t.analysis.competitor.checking),
      to: ["confirm", "url"],
      async work({ data: { url }, services, signal, language }) {
        const say = texts[language].analysis.competitor;
        const isPublic = (await services.sources.checkAddress(url)) === undefined;
        const { origin, pathname, host } = new URL(url);
        const page = `${origin}${pathname.replace(/\/$/, "")}`;
        const state = isPublic ? await siteState(services, page, signal) : "wrong";
        if (state === "answers") return { to: "confirm" };
        return { to: "url", notice: state === "wrong" ? say.urlFault : say[state](host) };
      },
      failed: { to: "url", text: both((t) => t.analysis.competitor.urlFault) },
    },
    confirm: {
      ask: (data, language) =>
        `${texts[language].analysis.competitor.confirm(data.url)}\n\n${costText(data, language)}`,
      prepare: {
        to: ["screen:dashboard"],
        async take(turn) {
          const found = await readPaid(turn, turn.data.projectId, "competitor_analysis");
          return found ? { data: found.paid } : { to: "screen:dashboard" };
        },
      },
      buttons: {
        yes: {
          label: both((t) => t.analysis.competitor.yes),
          style: "success",
          when: (data) => !isShort(data),
          to: "ordering",
        },
        top_up: {
          label: both((t) => t.common.topUp),
          style: "primary",
          when: isShort,
          to: "screen:tariffs",
        },
      },
    },
    ordering: {
      ask: both((t) => t.analysis.competitor.working),
      to: ["analyzing", "confirm", "screen:dashboard"],
      async work({ id, data: { projectId, url }, services, language, ...work }) {
        const { kinds } = services;
        const ordered = await ifFound(() =>
          attempted(() => orderCompetitor(services, kinds.competitor, whoseOf(work), projectId, url, id)),
        );
        if (!ordered) return { to: "screen:dashboard" };
        return ordered.ok
          ? { to: "analyzing", data: { runId: ordered.value.run_id } }
          : { to: "confirm", notice: saidOf(ordered.problem, language) };
      },
      failed: { to: "confirm", text: both((t) => t.common.brokenFlow) },
    },
    analyzing: waitForRun({
      ask: both((t) => t.analysis.competitor.working),
      runId: ({ runId }: CompetitorData) => runId,
      outcomes: {
        done: {
          to: "results",
          async take(turn: Turn) {
            const run = await ranFor(turn, turn.data.runId);
            const found = competitorText(competitorResult.parse(run.result), turn.language);
            return { data: { report: `${found}\n\n${receiptText(run, turn.language)}` } };
          },
        },
        failed: {
          to: "screen:project:{id}:analysis",
          async take(turn: Turn) {
            const run = await ranFor(turn, turn.data.runId);
            const said = run.error?.message[turn.language] ?? texts[turn.language].runs.stopped;
            return {
              to: `screen:project:${turn.data.projectId}:analysis`,
              notice: `${said}\n\n${receiptText(run, turn.language)}`,
            };
          },
        },
      },
    }),
    results: {
      ask: ({ report }) => report,
      noBack: true,
      noCancel: true,
      buttons: {
        save: {
          label: both((t) => t.common.save),
          style: "success",
          to: "screen:project:{id}:competitor",
          press: ({ data: { projectId }, language }) => ({
            to: `screen:project:${projectId}:competitor`,
            notice: texts[language].analysis.competitor.saved,
          }),
        },
        project: {
          label: both((t) => t.common.toProject),
          to: "screen:project:{id}:card",
          press: ({ data: { projectId } }) => ({ to: `screen:project:${projectId}:card` }),
        },
      },
    },
  },
});
