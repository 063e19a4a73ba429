/** What the flows and screens of the bot use. */
import type { ConsentDeps } from "../../delivery/index.ts";
import { flowsOf, screensOf, type Visit } from "../../dialogs/index.ts";
import { within } from "../../kernel/db/index.ts";
import type { GuardedClient } from "../../kernel/outbound/index.ts";
import type { SeoDeps, Workshop } from "../parts.ts";
import type { Whose } from "../people/whose.ts";
import type { Office } from "./admin/office.ts";
import type { Selling } from "./money/selling.ts";

/**
 * Services with connections of their own, for work states. In a handler, use `inStep`: a step that waits for a second connection
 * could wait for ever when all of them are held by steps.
 */
export interface BotServices extends SeoDeps, Workshop {
  /** For addresses that people type. */
  readonly guarded: GuardedClient;
  /** Accounts that people connect in the browser. */
  readonly consent: ConsentDeps;
  readonly selling: Selling;
  readonly office: Office;
  /** A Telegram name or an address where people get help. */
  readonly support: string | undefined;
}

export type BotVisit = Visit<BotServices>;

export const flow = flowsOf<BotServices>();
export const { screen, action } = screensOf<BotServices>();

/** The person who talks; in a private chat the chat has the same id. */
export function whoseOf({ workspaceId, userId }: Pick<BotVisit, "workspaceId" | "userId">): Whose {
  return { workspaceId, userId: Number(userId) };
}

/** The services for a handler: what they write is committed with the step, or not at all. */
export function inStep({ services, sql: tx }: Pick<BotVisit, "services" | "sql">): BotServices {
  const sql = within(tx);
  return { ...services, sql, runs: services.runs.within(tx), articles: { ...services.articles, sql } };
}

export function isAdmin({ services, userId }: Pick<BotVisit, "services" | "userId">): boolean {
  return services.admins.includes(Number(userId));
}
