import { counted } from "../../../../kernel/words/index.ts";
import type { Texts } from "../index.ts";

const tokens = (count: number) => counted(count, { one: "token", other: "tokens" }, "en");

export const autopublish: Texts["autopublish"] = {
  published: (isArticle, place) =>
    `Published by schedule: ${isArticle ? "an article on" : "a post in"} ${place}`,
  charged: (charged, left) => `Charged: ${tokens(charged)} | Left: ${tokens(left)}`,
  free: "GOD_MODE: free",
  crossed: "Adapted to:",
  crossedAt: (name, what) => `• ${name} — ${what}`,
  isOut: "published",
  ends: {
    too_few_tokens: (needed, balance) =>
      `A publication was skipped: too few tokens (about ${needed} needed, balance: ${balance}). The schedule is off.`,
    no_phrases: (category) => `A publication was skipped: the category “${category}” has no phrases.`,
    no_articles: (category) =>
      `A publication was skipped (“${category}”). The category has no clusters for articles: add informational phrases.`,
    no_phrase: (category, why) => `A publication was skipped (“${category}”). ${why}`,
    not_valid: "A publication was skipped: the text did not pass the quality check.",
    model: "A publication failed: no model has answered for hours. The next one comes by schedule.",
    internal:
      "A publication failed because of an error on our side: further tries did not help. The next one comes by schedule; this one can be published by hand.",
    platform: (platform) => `A publication failed: ${platform} does not answer. Check the connection.`,
    refused: (platform) => `A publication failed: ${platform} refuses the connection. Connect it again.`,
  },
  later: {
    model: "A publication is put off: no model answers at the moment. It is tried again in an hour.",
    internal: "A publication is put off: an error on our side. It is tried again in an hour.",
  },
  why: (why) => `Reason: ${why}`,
  where: (category, place) => `“${category}” → ${place}`,
  returned: "Tokens returned: yes",
  givenUp:
    "This is the third failure in a row, so the schedule is off. Check the connection and switch it on again.",
  keys: {
    topUp: "Top up",
    toSchedule: "To the schedule",
    findPhrases: "Find phrases",
    byHand: "Publish by hand",
    check: "Check the connection",
    reconnect: (platform) => `Reconnect ${platform}`,
    open: "Open the publication",
  },
};
