/** `chat_id` as the Bot API takes it: a number, or the `@name` of a public chat. */
export function chatIdOf(targetId: string): number | string {
  return /^-?\d+$/.test(targetId) ? Number(targetId) : targetId;
}
