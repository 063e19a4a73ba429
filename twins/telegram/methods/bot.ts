import { z } from "zod";
import { badRequest } from "../api-error.ts";
import type { Method } from "../call.ts";
import { uidOf } from "../file-id.ts";
import { limits } from "../limits.ts";
import type { StoredFile } from "../model.ts";
import { json, text } from "../params.ts";
import { botUser } from "../wire.ts";

export const getMe: Method = ({ bot }) => ({
  ...botUser(bot),
  can_join_groups: true,
  can_read_all_group_messages: bot.readsAllGroupMessages,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
});

const commandsShape = z.array(z.object({ command: z.string(), description: z.string() }));

export const setMyCommands: Method = ({ bot, params }, { store }) => {
  const commands = commandsShape.safeParse(json(params, "commands"));
  if (!commands.success) throw badRequest("can't parse commands: expected an Array of BotCommand");
  if (commands.data.length > limits.commands) throw badRequest("BOT_COMMANDS_TOO_MUCH");
  for (const { command, description } of commands.data) {
    if (!/^\/?[a-z0-9_]{1,32}$/.test(command)) throw badRequest("BOT_COMMAND_INVALID");
    if (description.length < 1 || description.length > 256)
      throw badRequest("BOT_COMMAND_DESCRIPTION_INVALID");
  }
  bot.commands = commands.data.map((each) => ({ ...each, command: each.command.replace(/^\//, "") }));
  store.changed();
  return true;
};

export const getMyCommands: Method = ({ bot }) => bot.commands;

export const getFile: Method = ({ bot, params }, { store }) => {
  const fileId = text(params, "file_id");
  if (fileId === "") throw badRequest("file_id not specified");
  const file = store.file(uidOf(bot, fileId) ?? "");
  if (!file) throw badRequest("invalid file_id");
  if (file.size > limits.download) throw badRequest("file is too big");
  return {
    file_id: fileId,
    file_unique_id: file.uid,
    file_size: file.size,
    file_path: filePath(file),
  };
};

/** Its path below `/file/bot<token>/`. */
function filePath({ kind, uid, contentType }: StoredFile): string {
  const extension =
    contentType
      .split("/")[1]
      ?.replace("jpeg", "jpg")
      .replace(/[^a-z0-9]/g, "") ?? "bin";
  return `${kind}s/${uid}.${extension}`;
}

/** The file of such a path. */
export function uidInPath(path: string): string | undefined {
  return /^[a-z]+\/([a-z0-9]+)\.[a-z0-9]*$/.exec(path)?.[1];
}
