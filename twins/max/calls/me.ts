import { z } from "zod";
import { limits } from "../limits.ts";
import { read } from "../read.ts";
import type { Max } from "../twin.ts";
import { wireBot } from "../wire.ts";
import type { ApiCall, Reply } from "./routes.ts";

/** `GET /me` */
export function getMe(_max: Max, { bot }: ApiCall): Reply {
  return { body: wireBot(bot) };
}

/** `PATCH /me/commands` */
export function setCommands({ store }: Max, { bot, body }: ApiCall): Reply {
  bot.commands = read(commandsPatch, body).commands;
  store.changed();
  return { body: { commands: bot.commands } };
}

const commandsPatch = z.object({
  commands: z
    .array(
      z.object({
        name: z.string().min(1).max(limits.commands.name),
        description: z.string().min(1).max(limits.commands.description).nullish(),
      }),
    )
    .max(limits.commands.count),
});
