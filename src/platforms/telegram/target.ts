/**
 * `chat_id` as the Bot API takes it: a number, or the `@name` of a public chat. A channel's target may also be `user:42`, and
 * `#2` tells several channels of one chat apart.
 */
export function chatIdOf(targetId: string): number | string {
  const plain = targetId.replace(/#\d+$/, "").replace(/^user:/, "");
  return /^-?\d+$/.test(plain) ? Number(plain) : plain;
}
