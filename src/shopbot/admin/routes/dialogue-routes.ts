import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { App } from "../../../http/index.ts";
import { flag, noteReadingBy, workspaceRoutes } from "../../../workspaces/index.ts";
import { text } from "../../model/fields.ts";
import { answerSchema, awaitAnswer } from "../../read/await-answer.ts";
import { dialogueSchema, dialogueSummary, listDialogues, readDialogue } from "../../read/dialogues.ts";
import { answerCustomer, returnChat, takeChat } from "../answer-customer.ts";
import type { BotRoutesDeps } from "./deps.ts";

const under = "/api/v1/bot/dialogues";
const tag = "bot";
const params = z.object({ chat_id: z.string().min(1).max(256) });

export function dialogueRoutes(app: App, deps: BotRoutesDeps): void {
  const { sql, clock } = deps;
  const routes = workspaceRoutes(app, sql, { under, tag });
  const noteRead = (request: FastifyRequest, workspaceId: string, chatId: string) => {
    const meta = { object: "dialogue", chat_id: chatId };
    return noteReadingBy(sql, request, { workspaceId, now: clock.now(), meta });
  };

  routes.list(
    "",
    {
      scope: "people",
      summary: "Dialogues, newest first; each reading is recorded",
      query: { with_operator: flag.optional() },
      item: dialogueSummary,
    },
    async ({ workspaceId, query: { with_operator: withOperator }, page, request }) => {
      const now = clock.now();
      const found = await listDialogues(sql, workspaceId, now, { ...page, withOperator });
      const meta = { object: "dialogues", count: found.items.length };
      await noteReadingBy(sql, request, { workspaceId, now, meta });
      return found;
    },
  );
  routes.get(
    "/:chat_id",
    {
      scope: "people",
      summary: "One dialogue with the rule and state of every step; each reading is recorded",
      params,
      answer: dialogueSchema,
    },
    async ({ workspaceId, params: { chat_id }, request }) => {
      const dialogue = await readDialogue(sql, workspaceId, chat_id, clock.now());
      await noteRead(request, workspaceId, chat_id);
      return dialogue;
    },
  );

  const leaving = new AbortController();
  app.addHook("preClose", () => leaving.abort());
  routes.get(
    "/:chat_id/answers/:message_id",
    {
      scope: "people",
      summary: "The answer to a customer's message; waits for it; each reading is recorded",
      params: params.extend({ message_id: z.string().min(1).max(512) }),
      query: {
        wait_seconds: z.coerce.number().min(0).max(25).default(20).describe("Then: 504 with a reason"),
      },
      answer: answerSchema,
    },
    async ({ workspaceId, params: { chat_id: chatId, message_id: messageId }, query, request }) => {
      const waitMs = query.wait_seconds * 1_000;
      const answer = await awaitAnswer(sql, { workspaceId, chatId, messageId }, waitMs, leaving.signal);
      await noteRead(request, workspaceId, chatId);
      return answer;
    },
  );
  routes.post(
    "/:chat_id/reply",
    {
      scope: "operate",
      summary: "Answer a customer as an operator; the bot stays silent in the chat",
      params,
      body: z.strictObject({ text: text(4000) }),
      answer: z.object({ outbox_id: z.uuid() }),
      status: 202,
    },
    ({ workspaceId, params: { chat_id }, body, by }) =>
      answerCustomer(deps, workspaceId, chat_id, body.text, by),
  );
  routes.postSilently(
    "/:chat_id/take",
    { scope: "operate", summary: "Take a chat over from the bot", params },
    ({ workspaceId, params: { chat_id } }) => takeChat(deps, workspaceId, chat_id),
  );
  routes.post(
    "/:chat_id/return",
    {
      scope: "operate",
      summary: "Return a chat to the bot",
      params,
      answer: z.object({ returned: z.boolean().describe("False: the bot already had it") }),
    },
    async ({ workspaceId, params: { chat_id } }) => ({
      returned: await returnChat(deps, workspaceId, chat_id),
    }),
  );
}
