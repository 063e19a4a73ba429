import { type Entity, type EntityType, inOrder, overlaps } from "./entity.ts";

/** Domains that are links even without a scheme. The provider knows all; these are the common ones. */
const topDomains =
  "com|org|net|info|biz|ru|рф|su|by|kz|ua|uk|de|fr|eu|us|io|me|dev|app|ai|co|tv|pro|online|shop|site|store|tech|xyz|page|blog|news|team|ms";

/** What the provider marks by itself, the more specific pattern first. */
const patterns: readonly (readonly [EntityType, RegExp])[] = [
  [
    "email",
    /(?<![\p{L}\p{N}._%+-])[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}(?![\p{L}\p{N}_])/giu,
  ],
  ["url", /(?<![\p{L}\p{N}_@])(?:https?|ftp|tg|ton):\/\/[^\s<>«»"]+/giu],
  [
    "url",
    new RegExp(
      `(?<![\\p{L}\\p{N}_@./-])(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?\\.)+(?:${topDomains})(?![\\p{L}\\p{N}_-])(?::\\d+)?(?:[/?#][^\\s<>«»"]*)?`,
      "giu",
    ),
  ],
  ["bot_command", /(?<![\p{L}\p{N}_/<>])\/[a-z0-9_]{1,64}(?:@[a-z0-9_]{3,32})?(?![\p{L}\p{N}_/])/giu],
  ["mention", /(?<![\p{L}\p{N}_@])@[a-z][a-z0-9_]{2,31}(?![\p{L}\p{N}_@])/giu],
  ["cashtag", /(?<![\p{L}\p{N}_$])\$[A-Z]{1,8}(?![\p{L}\p{N}_$])/gu],
  ["hashtag", /(?<![\p{L}\p{N}_#&/])#(?=[\p{N}_]*\p{L})[\p{L}\p{N}_\u200c\u00b7]{1,256}(?![#])/giu],
];

/** The provider detects nothing inside these. */
const opaque = new Set<EntityType>(["code", "pre", "text_link", "text_mention", "custom_emoji"]);

/** The given entities together with the links, hashtags, mentions, commands and addresses found in the text. */
export function withDetected(text: string, given: readonly Entity[]): Entity[] {
  const taken = given.filter((entity) => opaque.has(entity.type));
  const found: Entity[] = [];
  for (const [type, pattern] of patterns) {
    for (const match of text.matchAll(pattern)) {
      const content = type === "url" ? withoutTail(match[0]) : match[0];
      const entity: Entity = { type, offset: match.index, length: content.length };
      if (![...taken, ...found].some((each) => overlaps(each, entity))) found.push(entity);
    }
  }
  return inOrder([...given, ...found]);
}

/** Punctuation after an address belongs to the sentence, and so does a bracket that was opened before it. */
function withoutTail(address: string): string {
  const bare = address.replace(/(?<![.,:;!?'"…])[.,:;!?'"…]+$/u, "");
  const opened = bare.split("(").length;
  return bare.endsWith(")") && bare.split(")").length > opened ? withoutTail(bare.slice(0, -1)) : bare;
}
