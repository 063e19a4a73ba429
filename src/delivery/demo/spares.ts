/** Bots and chats that the demo keeps ready for people who try to add their own channel or bot. */
import { callTwins, openTwinChat } from "./twin-api.ts";

/** Bots that nobody uses yet. Their tokens are in the guides; only the twins accept them. */
const spareBots = [
  {
    platform: "telegram",
    username: "company_news_bot",
    token: "7000000101:molva-demo-token-for-your-own-bot-1",
  },
  {
    platform: "telegram",
    username: "company_news_2_bot",
    token: "7000000102:molva-demo-token-for-your-own-bot-2",
  },
  { platform: "max", username: "my_shop_bot", token: "molva-demo-token-for-your-own-shop" },
] as const;

/** Telegram channels in which those bots may post. */
const spareChats = [
  { chat: "-1001234567890", title: "Канал для вашей пробы" },
  { chat: "-1001234567891", title: "Ещё один канал для пробы" },
] as const;

/** Creates them at the twins. Idempotent. */
export async function introduceSpares(twinsUrl: string): Promise<void> {
  for (const { platform, username, token } of spareBots)
    await callTwins(twinsUrl, "POST", `/_control/${platform}/bots`, {
      token,
      username,
      first_name: "Ваш бот",
    });
  for (const chat of spareChats)
    for (const { platform, username } of spareBots)
      if (platform === "telegram") await openTwinChat(twinsUrl, { ...chat, platform, bot: username });
}
