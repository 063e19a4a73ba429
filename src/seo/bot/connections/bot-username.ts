import { credentialRef } from "../../../workspaces/index.ts";
import { botName } from "../bot-name.ts";
import type { BotServices } from "../services.ts";

/** How Telegram calls this bot, for links that lead back here. Asks Telegram. */
export async function botUsername(
  { sql, credentials, platforms, providers, clock }: BotServices,
  { workspaceId, chatId }: { readonly workspaceId: string; readonly chatId: string },
): Promise<string> {
  const platform = "telegram";
  const ref = await credentialRef(sql, workspaceId, { platform, auth_ref: botName });
  const read = ref === undefined ? undefined : await credentials.ofPlatform(workspaceId, platform, ref);
  if (read?.kind !== "ready") throw new Error("the bot has no token");
  const { steps } = await platforms.platformOf(platform).check({
    ...{ credential: read.credential, http: providers, clock },
    channel: { platform, targetId: `user:${chatId}`, sendMode: "mixed", settings: {} },
  });
  const name = steps.find(({ step }) => step === "token")?.facts?.bot;
  if (name === undefined) throw new Error("Telegram does not say how the bot is called");
  return name.replace(/^@/, "");
}
