import { z } from "zod";
import { endpointGuards, type GuardDeps, readBytes } from "../../delivery/index.ts";
import { type App, errorsFromIssues } from "../../http/index.ts";
import type { Metrics } from "../../kernel/metrics/index.ts";
import { shopBotMetrics } from "../metrics.ts";
import { flatForm, fromFlatForm } from "./flat-form.ts";
import { createInbox } from "./inbox.ts";
import type { Incoming } from "./incoming-update.ts";
import { fromMaxUpdate, maxUpdate, silentUpdate } from "./max-update.ts";
import { type Received, receive, receivedSchema } from "./receive-update.ts";
import { storableBody } from "./storable-text.ts";

/** `POST /api/v1/bots/max/webhook`: stores the update and answers at once; the engine runs after the commit. */
export function webhookRoute(app: App, deps: GuardDeps & { readonly metrics: Metrics }): void {
  const inbox = createInbox(deps);
  const requests = deps.metrics.counter({ ...shopBotMetrics.updates, labels: ["outcome"] });
  const guards = endpointGuards("bot_webhook", requests, deps);
  app.register(async (scope) => {
    readBytes(scope);
    scope.route({
      method: "POST",
      url: "/api/v1/bots/max/webhook",
      config: { scope: "public" },
      schema: {
        tags: ["bot"],
        summary: "Take an update of MAX, or a message in the flat form",
        security: [{ endpointSecret: [] }],
        body: z.union([maxUpdate, silentUpdate, flatForm]),
        response: { 200: receivedSchema },
      },
      ...guards.hooks,
      async handler(request) {
        const { endpoint, body: given } = guards.admitted(request);
        // Cleans all of it: ids and types are stored too.
        const body = storableBody(given);
        const read = incomingOf(body, deps);
        if ("errors" in read)
          return guards.refuseMalformed(request, { errors: errorsFromIssues(read.errors) });
        const answer = await receive(read.incoming, body, endpoint.workspaceId, { ...deps, inbox });
        guards.count(outcomeOf(answer));
        return answer;
      },
    });
  });
}

function outcomeOf(answer: Received): string {
  if ("ignored" in answer) return "ignored";
  if ("corrected" in answer) return "correction";
  return answer.duplicate ? "duplicate" : "accepted";
}

function incomingOf(
  body: unknown,
  { clock }: GuardDeps,
): { incoming: Incoming } | { errors: z.core.$ZodIssue[] } {
  if (silentUpdate.safeParse(body).success)
    return { incoming: { kind: "ignored", reason: "nothing to answer" } };
  const isNative = typeof body === "object" && body !== null && "update_type" in body;
  if (isNative) {
    const read = maxUpdate.safeParse(body);
    return read.success ? { incoming: fromMaxUpdate(read.data) } : { errors: read.error.issues };
  }
  const read = flatForm.safeParse(body);
  return read.success ? { incoming: fromFlatForm(read.data, clock) } : { errors: read.error.issues };
}
