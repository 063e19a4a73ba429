import { z } from "zod";
import type { App } from "../../http/index.ts";
import { pageOfAll, reason, workspaceRoutes } from "../../workspaces/index.ts";
import { chosenName } from "../policies/policy-shape.ts";
import type { RouteDeps } from "../route-deps.ts";
import { newPromptVersion, promptSchema } from "./prompt-shape.ts";
import { activatePrompt, listPrompts, promptVersions, savePrompt } from "./prompts.ts";

const params = z.object({ name: chosenName });

export function promptRoutes(app: App, deps: RouteDeps): void {
  const { sql } = deps;
  const routes = workspaceRoutes(app, sql, { under: "/api/v1/llm/prompts", tag: "llm" });

  routes.list(
    "",
    {
      scope: "read",
      summary: "Prompts by name, each as its active version, or its newest when none is active",
      item: promptSchema,
    },
    async ({ workspaceId, page }) => pageOfAll(await listPrompts(sql, workspaceId), page),
  );
  routes.post(
    "",
    {
      scope: "write",
      summary: "Store a version of a prompt; earlier ones stay",
      body: newPromptVersion,
      answer: promptSchema,
      status: 201,
    },
    ({ workspaceId, body, by }) => savePrompt(deps, workspaceId, body, by),
  );
  routes.list(
    "/:name",
    {
      scope: "read",
      summary: "Every version of a prompt, newest first",
      params,
      item: promptSchema,
    },
    async ({ workspaceId, params: { name }, page }) =>
      pageOfAll(await promptVersions(sql, workspaceId, name), page),
  );
  routes.post(
    "/:name/activate",
    {
      scope: "write",
      summary: "Ask models by this version from the next call on",
      params,
      body: z.strictObject({ version: z.int().min(1), reason: reason.optional() }),
      answer: promptSchema,
    },
    ({ workspaceId, params: { name }, body, by }) =>
      activatePrompt(deps, workspaceId, name, body.version, by),
  );
}
