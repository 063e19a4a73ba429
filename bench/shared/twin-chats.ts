/** A bot of the Telegram twin and the channels it may write to. */
export async function furnishTwins(
  twinsUrl: string,
  bot: { readonly token: string; readonly username: string },
  chats: readonly number[],
): Promise<void> {
  await tellTwins(twinsUrl, "telegram/bots", { ...bot, first_name: "Молва" });
  for (const id of chats)
    await tellTwins(twinsUrl, "telegram/chats", {
      id,
      type: "channel",
      title: `Канал ${id}`,
      members: [{ bot: bot.username, status: "administrator", can_post_messages: true }],
    });
}

/** One order to the twins; throws with their words when they refuse it. */
export async function tellTwins(twinsUrl: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${twinsUrl}/_control/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`the twins refused ${path}: ${await answer.text()}`);
}
