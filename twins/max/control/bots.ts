import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { readInput } from "../../shared/index.ts";
import { permissions } from "../model.ts";
import { localeIn, showChat } from "../post.ts";
import type { Max } from "../twin.ts";
import { wireBot } from "../wire.ts";
import { addChat } from "./chats.ts";
import { botNamed, person, userBody } from "./inputs.ts";

export function botControls(app: FastifyInstance, max: Max): void {
  const { store, context, updates } = max;

  app.get("/_control/max/bots", async () => ({ bots: store.world.bots.map(wireBot) }));

  app.post("/_control/max/bots", async (request) => {
    const { token, username, first_name, user_id, description } = readInput(botBody, request.body);
    const known = store.botByToken(token);
    if (known) {
      Object.assign(known.user, { username, first_name });
      known.description = description ?? known.description;
    } else {
      store.world.bots.push({
        token,
        user: {
          user_id: user_id ?? store.newId(),
          first_name,
          username,
          is_bot: true,
          last_activity_time: context.clock.now(),
        },
        description: description ?? null,
        commands: [],
        subscriptions: [],
        updates: [],
        nextMarker: 1,
      });
    }
    store.changed();
    return wireBot(botNamed(max, token));
  });

  /** A person opens the bot and taps Start: a dialog begins, or continues after a stop. */
  app.post("/_control/max/bots/:bot/start", async (request) => {
    const { bot: ref } = readInput(z.object({ bot: z.string() }), request.params);
    const { user: who, payload } = readInput(startBody, request.body);
    const bot = botNamed(max, ref);
    const user = person(max, who);
    const chat = store.dialog(bot, user.user_id) ?? addChat(max, { type: "dialog", title: null, user });
    chat.suspended = false;
    chat.members = [
      {
        botId: bot.user.user_id,
        status: "active",
        is_admin: false,
        permissions: [...permissions],
        join_time: context.clock.now(),
      },
    ];
    updates.tell(bot, "bot_started", {
      chat_id: chat.chat_id,
      user,
      ...(payload !== undefined && { payload }),
      ...localeIn(chat),
    });
    showChat(max, chat);
    return { chat_id: chat.chat_id, user };
  });
}

const botBody = z.strictObject({
  token: z.string().min(1),
  username: z.string().min(1),
  first_name: z.string().min(1),
  user_id: z.int().optional(),
  description: z.string().nullish(),
});

const startBody = z.strictObject({ user: userBody, payload: z.string().max(128).optional() });
