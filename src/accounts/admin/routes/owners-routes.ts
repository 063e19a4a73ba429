import { z } from "zod";
import type { App } from "../../../http/index.ts";
import type { Sql } from "../../../kernel/db/index.ts";
import { idOf, reason, workspaceRoutes } from "../../../workspaces/index.ts";
import { accountIdColumns as columns } from "../../id-columns.ts";
import type { UseAccount } from "../../use-account.ts";
import type { AutopublishDeps } from "../autopublish.ts";
import type { PaceDeps } from "../pace-view.ts";

export interface AccountRoutesDeps extends AutopublishDeps, PaceDeps {
  readonly use: UseAccount;
}

export const ownersRoutes = (app: App, sql: Sql) =>
  workspaceRoutes(app, sql, { under: "/api/v1/accounts", tag: "accounts" });

export const why = { reason: reason.optional() };

export const ofAccount = z.object({ account_id: idOf(columns.account) });
export const ofObject = z.object({ object_id: idOf(columns.object) });
export const ofChat = z.object({ chat_id: idOf(columns.chat) });
