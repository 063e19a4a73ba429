/** What the confirmations of paid analyses show: price and balance. */
import { z } from "zod";
import { listPrices, tokensFor } from "../../../billing/index.ts";
import type { Language } from "../../../dialogs/index.ts";
import { readUser } from "../../people/people.ts";
import { readProject } from "../../projects/projects.ts";
import type { Project } from "../../projects/shape.ts";
import { type BotVisit, inStep, isAdmin, whoseOf } from "../services.ts";
import { texts } from "../texts/index.ts";
import { ifFound } from "../told.ts";

export const paidShape = {
  projectId: z.int(),
  runId: z.string(),
  cost: z.int(),
  balance: z.int(),
  isFree: z.boolean(),
};
export interface Paid {
  readonly projectId: number;
  readonly runId: string;
  readonly cost: number;
  readonly balance: number;
  readonly isFree: boolean;
}
export const nothingPaid = { projectId: 0, runId: "", cost: 0, balance: 0, isFree: false };

/** Undefined if the project is gone. */
export async function readPaid(
  visit: BotVisit,
  projectId: number,
  operation: "audit" | "competitor_analysis",
): Promise<{ readonly project: Project; readonly paid: Omit<Paid, "projectId" | "runId"> } | undefined> {
  const { sql } = inStep(visit);
  const whose = whoseOf(visit);
  const project = await ifFound(() => readProject(sql, whose, projectId));
  if (!project) return undefined;
  const { balance } = await readUser(sql, whose);
  const cost = tokensFor(await listPrices(sql, whose.workspaceId), operation, 1);
  return { project, paid: { cost, balance, isFree: isAdmin(visit) } };
}

export const isShort = ({ isFree, balance, cost }: Paid): boolean => !isFree && balance < cost;

export function costText(paid: Paid, language: Language): string {
  const { analysis, common } = texts[language];
  const { cost, balance, isFree } = paid;
  if (isShort(paid)) return analysis.short(cost, balance);
  return `${analysis.cost(common.tokens(cost), common.tokens(balance))}${isFree ? `\n${analysis.free}` : ""}`;
}
