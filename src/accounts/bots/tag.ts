/** The tag by which the delivery engine brings an object to one bot's chat and to nobody else. */
export function chatTag(chatId: string): string {
  return `chat:${chatId}`;
}
