import { analyseCompetitor } from "./analyse-competitor.ts";
import { analysis, audit, beginAudit, beginCompetitor, competitor } from "./analysis-screens.ts";
import { ranks } from "./rank-screens.ts";
import { beginRefresh, refresh, refreshPage } from "./refresh-screens.ts";
import { runAudit } from "./run-audit.ts";
import { trend } from "./trend-screen.ts";

export const analysisFlows = [runAudit, analyseCompetitor] as const;
export const analysisScreens = [
  ...[analysis, audit, beginAudit, beginCompetitor, competitor],
  ...[ranks, refresh, refreshPage, beginRefresh, trend],
] as const;
