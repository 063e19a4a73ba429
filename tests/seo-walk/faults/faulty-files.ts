/** Files that people send: fetched from Telegram, as the running bot does it. */
import { mediaKinds } from "../../../src/dialogs/flow/flow.ts";
import { isAsk } from "../../../src/dialogs/flow/graph.ts";
import { botApi, telegramBots } from "../../../src/dialogs/index.ts";
import { download } from "../../../src/dialogs/telegram/download.ts";
import type { Person } from "../../../src/dialogs/testing/harness.ts";
import { botFlows } from "../../../src/seo/bot/bot.ts";
import { botName } from "../../../src/seo/bot/bot-name.ts";
import { demoSeoBot } from "../../../src/seo/demo/seed-seo-bot.ts";
import type { SeoBotHarness } from "../../support/seo-bot.ts";

/** Every state that reads a file before it goes on. */
export const fetchingSteps = botFlows.flatMap((flow) =>
  Object.entries(flow.states).flatMap(([state, shape]) =>
    isAsk(shape) && mediaKinds.some((kind) => shape.media?.[kind]?.download)
      ? [{ name: `${flow.name}.${state}`, flow, state }]
      : [],
  ),
);

/** Lets a person's files come from the twin, where those are put that there are now. */
export async function fetchFromTelegram(
  { core, control, running, workspaceId }: SeoBotHarness,
  { messenger, chatId }: Person,
): Promise<void> {
  const telegram = botApi({ workspaceId, bot: botName }, telegramBots(core));
  const numbers = new Map<string, string>();
  for (const [fileId, bytes] of messenger.files) {
    const data = `data:application/octet-stream;base64,${Buffer.from(bytes).toString("base64")}`;
    await control("POST", `/telegram/chats/${chatId}/say`, { file: { kind: "document", data } });
    const answer = await fetch(`${running.twinsUrl}/telegram/bot${demoSeoBot.token}/getUpdates?offset=-1`);
    numbers.set(fileId, JSON.parse(await answer.text()).result[0].message.document.file_id);
  }
  messenger.download = (fileId, longest, signal) =>
    download(numbers.get(fileId) ?? fileId, { longest, signal, telegram });
}
