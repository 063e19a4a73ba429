import { z } from "zod";
import type { App } from "../../http/index.ts";
import { byOf, inWorkspace, workspaceOf } from "../../workspaces/index.ts";
import type { RouteDeps } from "../admin/deps.ts";
import { chosenName, reason } from "../policies/shape.ts";
import { activatePrompt, listPrompts, promptVersions, savePrompt } from "./prompts.ts";
import { newPromptVersion, promptSchema } from "./shape.ts";

const tags = ["llm"];
const params = z.object({ name: chosenName });
const querystring = z.object(inWorkspace);

export function promptRoutes(app: App, deps: RouteDeps): void {
  const { sql } = deps;

  app.get(
    "/api/v1/llm/prompts",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Prompts by name, each as its active version, or its newest when none is active",
        querystring,
        response: { 200: z.object({ items: z.array(promptSchema) }) },
      },
    },
    async (request) => ({ items: await listPrompts(sql, await workspaceOf(sql, request, request.query)) }),
  );

  app.post(
    "/api/v1/llm/prompts",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Store a version of a prompt; earlier ones stay",
        querystring,
        body: newPromptVersion,
        response: { 201: promptSchema },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { reason: why, ...version } = request.body;
      return reply.code(201).send(await savePrompt(deps, workspaceId, version, byOf(request, why)));
    },
  );

  app.get(
    "/api/v1/llm/prompts/:name",
    {
      config: { scope: "read" },
      schema: {
        tags,
        summary: "Every version of a prompt, newest first",
        params,
        querystring,
        response: { 200: z.object({ items: z.array(promptSchema) }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return { items: await promptVersions(sql, workspaceId, request.params.name) };
    },
  );

  app.post(
    "/api/v1/llm/prompts/:name/activate",
    {
      config: { scope: "write" },
      schema: {
        tags,
        summary: "Ask models by this version from the next call on",
        params,
        querystring,
        body: z.strictObject({ version: z.int().min(1), reason: reason.optional() }),
        response: { 200: promptSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { version, reason: why } = request.body;
      return activatePrompt(deps, workspaceId, request.params.name, version, byOf(request, why));
    },
  );
}
