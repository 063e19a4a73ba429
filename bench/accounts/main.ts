import { rounded } from "../shared/figures.ts";
import { numberOf, parseArgs } from "../shared/options.ts";
import { governed, sharedTexts } from "./governed.ts";
import { optimum } from "./optimum.ts";
import { ungoverned } from "./pacing.ts";
import { publish } from "./publish.ts";
import { newTally } from "./tally.ts";
import { distributions } from "./world/distributions.ts";

export function main(args: string[]): void {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      seed: { type: "string" },
      "account-days": { type: "string" },
      days: { type: "string" },
    },
  });
  const seed = numberOf("seed", values.seed, 1);
  const days = numberOf("days", values.days, 100);
  const accountDays = numberOf("account-days", values["account-days"], 10_000);
  const workspaces = Math.ceil(accountDays / days / distributions.demand.accountsInWorkspace);
  const best = newTally(),
    gov = newTally(),
    un = newTally();
  const t0 = Date.now();
  for (let w = 0; w < workspaces; w++) optimum({ seed, workspace: w, days }, best);
  const t1 = Date.now();
  for (let w = 0; w < workspaces; w++) {
    const shared = sharedTexts();
    publish({ seed, workspace: w, days }, (p) => governed(p, shared), gov);
  }
  const t2 = Date.now();
  for (let w = 0; w < workspaces; w++) publish({ seed, workspace: w, days }, () => ungoverned(), un);
  const t3 = Date.now();
  console.log("ms", t1 - t0, t2 - t1, t3 - t2);
  console.log({
    best: best.sent,
    gov: gov.sent,
    share: gov.sent / best.sent,
    bans: gov.bans,
    unSent: un.sent,
    unShare: un.sent / best.sent,
    unBans: un.bans,
  });
  console.log(gov.answers, un.answers);
  console.log("week share", best.byWeek.map((b, i) => rounded((gov.byWeek[i] ?? 0) / b)).join(" "));
  console.log(
    "kind",
    Object.fromEntries(
      Object.entries(best.byKind).map(([k, b]) => [k, [b, rounded((gov.byKind[k] ?? 0) / b)]]),
    ),
  );
}
