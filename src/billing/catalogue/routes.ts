import { z } from "zod";
import type { App } from "../../http/index.ts";
import { type AdminDeps, pageOfAll, reason, somethingOf, workspaceRoutes } from "../../workspaces/index.ts";
import { listPackages, listPrices, readSettings, setPackage, setPrice, setSettings } from "./catalogue.ts";
import {
  operationName,
  packageCode,
  packageFields,
  packageSchema,
  priceFields,
  priceSchema,
  settingsFields,
  settingsSchema,
} from "./shape.ts";

const withReason = { reason: reason.optional() };

/** Packages and prices; a change applies from the next sale on, existing sales keep their price. */
export function catalogueRoutes(app: App, deps: AdminDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/billing", tag: "billing" });

  routes.list(
    "/packages",
    { scope: "read", summary: "Packages of tokens and their prices", item: packageSchema },
    async ({ workspaceId, page }) => pageOfAll(await listPackages(sql, workspaceId), page),
  );
  routes.put(
    "/packages/:code",
    {
      scope: "admin",
      summary: "Set a package: its tokens, its prices, whether it is offered",
      params: z.object({ code: packageCode }),
      body: z.strictObject({ ...packageFields, ...withReason }),
      answer: packageSchema,
    },
    ({ workspaceId, params: { code }, body, by }) => setPackage(deps, workspaceId, code, body, by),
  );
  routes.list(
    "/prices",
    { scope: "read", summary: "What each kind of work costs in tokens", item: priceSchema },
    async ({ workspaceId, page }) => pageOfAll(await listPrices(sql, workspaceId), page),
  );
  routes.put(
    "/prices/:operation",
    {
      scope: "admin",
      summary: "Set what a kind of work costs",
      params: z.object({ operation: operationName }),
      body: z.strictObject({ ...priceFields, ...withReason }),
      answer: priceSchema,
    },
    ({ workspaceId, params: { operation }, body, by }) =>
      setPrice(deps, workspaceId, { operation, ...body }, by),
  );
  routes.get(
    "/settings",
    {
      scope: "read",
      summary: "The welcome bonus, the referral's part, the worth of a token",
      answer: settingsSchema,
    },
    ({ workspaceId }) => readSettings(sql, workspaceId),
  );
  routes.patch(
    "/settings",
    {
      scope: "admin",
      summary: "Change the welcome bonus, the referral's part or the worth of a token",
      body: somethingOf(z.strictObject({ ...z.object(settingsFields).partial().shape, ...withReason })),
      answer: settingsSchema,
    },
    ({ workspaceId, body, by }) => setSettings(deps, workspaceId, body, by),
  );
}
