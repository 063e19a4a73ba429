/** An audit of the project's site: the price, the wait, then the audit's screen. */
import { z } from "zod";
import { auditResult } from "../../audits/audit-run.ts";
import { orderAudit } from "../../audits/order-site-works.ts";
import { readRun } from "../../runs/read-runs.ts";
import { inactivity, keepHours } from "../limits.ts";
import { receiptText } from "../runs/receipt.ts";
import { waitForRun } from "../runs/wait-for-run.ts";
import { type BotVisit, flow, inStep, whoseOf } from "../services.ts";
import { both, texts } from "../texts/index.ts";
import { attempted, ifFound, saidOf } from "../told.ts";
import { costText, isShort, nothingPaid, paidShape, readPaid } from "./paid-work.ts";

const auditData = z.object({ ...paidShape, url: z.string() });

export const runAudit = flow({
  name: "AuditRun",
  title: both((t) => t.analysis.audit.flow),
  data: auditData,
  empty: { ...nothingPaid, url: "" },
  first: "confirm",
  rivals: "replace",
  inactivity,
  keep: { hours: keepHours, when: (_, state) => state === "auditing" },
  states: {
    confirm: {
      ask: (data, language) =>
        `${texts[language].analysis.audit.confirm(data.url)}\n\n${costText(data, language)}`,
      prepare: {
        to: ["screen:dashboard", "screen:project:{id}:audit"],
        async take(turn) {
          const { projectId } = turn.data;
          const found = await readPaid(turn, projectId, "audit");
          if (!found) return { to: "screen:dashboard" };
          const url = found.project.website_url;
          const isOff = !turn.services.sources.isOn("pagespeed");
          // The screen says what is missing.
          if (url === null || isOff) return { to: `screen:project:${projectId}:audit` };
          return { data: { ...found.paid, url } };
        },
      },
      buttons: {
        yes: {
          label: both((t) => t.analysis.audit.yes),
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
      ask: both((t) => t.analysis.audit.working),
      to: ["auditing", "confirm", "screen:dashboard"],
      async work({ id, data, services, language, ...work }) {
        const ordered = await ifFound(() =>
          attempted(() => orderAudit(services, services.kinds, whoseOf(work), data.projectId, id)),
        );
        if (!ordered) return { to: "screen:dashboard" };
        return ordered.ok
          ? { to: "auditing", data: { runId: ordered.value.run_id } }
          : { to: "confirm", notice: saidOf(ordered.problem, language) };
      },
      failed: { to: "confirm", text: both((t) => t.common.brokenFlow) },
    },
    auditing: waitForRun({
      ask: both((t) => t.analysis.audit.working),
      runId: ({ runId }: z.infer<typeof auditData>) => runId,
      outcomes: {
        done: {
          to: "screen:project:{id}:audit",
          async take(turn) {
            const run = await ranFor(turn, turn.data.runId);
            const { warning } = auditResult.parse(run.result);
            const lines = [
              texts[turn.language].analysis.audit.done,
              ...(warning ? [warning[turn.language]] : []),
              "",
              receiptText(run, turn.language),
            ];
            return { to: `screen:project:${turn.data.projectId}:audit`, notice: lines.join("\n") };
          },
        },
        failed: {
          to: "confirm",
          async take(turn) {
            const run = await ranFor(turn, turn.data.runId);
            const said = run.error?.message[turn.language] ?? texts[turn.language].runs.stopped;
            return { notice: `${said}\n\n${receiptText(run, turn.language)}` };
          },
        },
      },
    }),
  },
});

/** The run that was waited for, with its receipt. */
export function ranFor(turn: BotVisit, runId: string) {
  const { workspaceId, userId } = whoseOf(turn);
  return readRun(inStep(turn).sql, workspaceId, runId, userId);
}
