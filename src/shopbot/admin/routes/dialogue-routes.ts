import { z } from "zod";
import type { App } from "../../../http/index.ts";
import {
  byOf,
  countUpTo,
  inWorkspace,
  noteReadingBy,
  pageSchema,
  workspaceOf,
} from "../../../workspaces/index.ts";
import { text } from "../../model/fields.ts";
import { answerSchema, awaitAnswer } from "../../read/await-answer.ts";
import { dialogueSchema, dialogueSummary, listDialogues, readDialogue } from "../../read/dialogues.ts";
import { answerCustomer, returnChat, takeChat } from "../talk.ts";
import type { BotRoutesDeps } from "./deps.ts";

const tags = ["bot"];
const querystring = z.object(inWorkspace);
const params = z.object({ chat_id: z.string().min(1).max(256) });

/** What was said, and taking part in it. */
export function dialogueRoutes(app: App, deps: BotRoutesDeps): void {
  const { sql, clock } = deps;

  app.get(
    "/api/v1/bot/dialogues",
    {
      config: { scope: "people" },
      schema: {
        tags,
        summary: "Dialogues, the newest first; each reading is recorded",
        querystring: querystring.extend({
          limit: countUpTo(200).optional(),
          after: z
            .string()
            .regex(/^\d{4}-\d\d-\d\dT[\d:.]+Z\|.+$/, "`next` of the page before")
            .optional(),
          with_operator: z.enum(["true", "false"]).optional(),
        }),
        response: { 200: pageSchema(dialogueSummary) },
      },
    },
    async (request) => {
      const { limit, after, with_operator } = request.query;
      const withOperator = with_operator === undefined ? undefined : with_operator === "true";
      const workspaceId = await workspaceOf(sql, request, request.query);
      const now = clock.now();
      const page = await listDialogues(sql, workspaceId, now, { limit, after, withOperator });
      const meta = { object: "dialogues", count: page.items.length };
      await noteReadingBy(sql, request, { workspaceId, now, meta });
      return page;
    },
  );

  app.get(
    "/api/v1/bot/dialogues/:chat_id",
    {
      config: { scope: "people" },
      schema: {
        tags,
        summary: "One dialogue, with the rule and the state of every step; each reading is recorded",
        params,
        querystring,
        response: { 200: dialogueSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { chat_id } = request.params;
      const now = clock.now();
      const dialogue = await readDialogue(sql, workspaceId, chat_id, now);
      await noteReadingBy(sql, request, { workspaceId, now, meta: { object: "dialogue", chat_id } });
      return dialogue;
    },
  );

  const leaving = new AbortController();
  app.addHook("preClose", () => leaving.abort());
  app.get(
    "/api/v1/bot/dialogues/:chat_id/answers/:message_id",
    {
      config: { scope: "people" },
      schema: {
        tags,
        summary:
          "The answer to one message of a customer; waits for it for a while; each reading is recorded",
        params: params.extend({ message_id: z.string().min(1).max(512) }),
        querystring: querystring.extend({
          wait_seconds: z.coerce
            .number()
            .min(0)
            .max(25)
            .default(20)
            .describe("After that: 504 with a reason"),
        }),
        response: { 200: answerSchema },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { chat_id: chatId, message_id: messageId } = request.params;
      const waitMs = request.query.wait_seconds * 1_000;
      const answer = await awaitAnswer(sql, { workspaceId, chatId, messageId }, waitMs, leaving.signal);
      const meta = { object: "dialogue", chat_id: chatId };
      await noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
      return answer;
    },
  );

  app.post(
    "/api/v1/bot/dialogues/:chat_id/reply",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Answer a customer as a person; the bot is silent in the chat from now on",
        params,
        querystring,
        body: z.strictObject({ text: text(4000) }),
        response: { 202: z.object({ outbox_id: z.uuid() }) },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      const { chat_id } = request.params;
      const sent = await answerCustomer(deps, workspaceId, chat_id, request.body.text, byOf(request));
      return reply.code(202).send(sent);
    },
  );

  app.post(
    "/api/v1/bot/dialogues/:chat_id/take",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Take a chat over from the bot",
        params,
        querystring,
        response: { 204: z.undefined() },
      },
    },
    async (request, reply) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      await takeChat(deps, workspaceId, request.params.chat_id);
      return reply.code(204).send();
    },
  );

  app.post(
    "/api/v1/bot/dialogues/:chat_id/return",
    {
      config: { scope: "operate" },
      schema: {
        tags,
        summary: "Give a chat back to the bot",
        params,
        querystring,
        response: { 200: z.object({ returned: z.boolean().describe("False: the bot had it already") }) },
      },
    },
    async (request) => {
      const workspaceId = await workspaceOf(sql, request, request.query);
      return { returned: await returnChat(deps, workspaceId, request.params.chat_id) };
    },
  );
}
