import { z } from "zod";
import { type DoorDeps, guardedDoor } from "../../delivery/index.ts";
import { type App, errorsFromIssues, problem } from "../../http/index.ts";
import { flatForm, fromFlatForm } from "./flat-form.ts";
import { createInbox } from "./inbox.ts";
import type { Incoming } from "./incoming.ts";
import { fromMaxUpdate, maxUpdate, silentUpdate } from "./max-update.ts";
import { receive } from "./receive.ts";
import { storableBody } from "./storable.ts";

const answers = z.union([
  z.object({
    ok: z.literal(true),
    duplicate: z.boolean(),
    trace_id: z.string(),
    chat_id: z.string(),
    provider_message_id: z.string().describe("With `chat_id`, what the answer is asked for by"),
  }),
  z.object({ ok: z.literal(true), ignored: z.string().describe("Why there is nothing to answer") }),
  z.object({ ok: z.literal(true), corrected: z.boolean() }),
]);

/** `POST /api/v1/bots/max/webhook`: stored and answered at once; the engine works after the commit. */
export function webhookRoute(app: App, deps: DoorDeps): void {
  const inbox = createInbox(deps);
  guardedDoor(
    app,
    {
      url: "/api/v1/bots/max/webhook",
      kind: "bot_webhook",
      metric: { name: "bot_updates_total", help: "Updates of the shop bot by what became of them" },
      schema: {
        tags: ["bot"],
        summary: "Take an update of MAX, or a message in the flat form",
        security: [{ endpointSecret: [] }],
        body: z.union([maxUpdate, silentUpdate, flatForm]),
        response: { 200: answers },
      },
    },
    deps,
    async (given, { endpoint, malformed }) => {
      const { workspaceId } = endpoint;
      // Once for all of it: ids and kinds are stored as well as words.
      const body = storableBody(given);
      const read = incomingOf(body, deps);
      if ("faults" in read) {
        await malformed();
        throw problem("invalid_request", { errors: errorsFromIssues(read.faults) });
      }
      const answer = await receive(read.incoming, body, workspaceId, { ...deps, inbox });
      const outcome =
        "ignored" in answer
          ? "ignored"
          : "corrected" in answer
            ? "correction"
            : answer.duplicate
              ? "duplicate"
              : "accepted";
      return { answer, outcome };
    },
  );
}

function incomingOf(
  body: unknown,
  { clock }: DoorDeps,
): { incoming: Incoming } | { faults: z.core.$ZodIssue[] } {
  if (silentUpdate.safeParse(body).success)
    return { incoming: { kind: "ignored", reason: "nothing to answer" } };
  const isNative = typeof body === "object" && body !== null && "update_type" in body;
  if (isNative) {
    const read = maxUpdate.safeParse(body);
    return read.success ? { incoming: fromMaxUpdate(read.data) } : { faults: read.error.issues };
  }
  const read = flatForm.safeParse(body);
  return read.success ? { incoming: fromFlatForm(read.data, clock) } : { faults: read.error.issues };
}
