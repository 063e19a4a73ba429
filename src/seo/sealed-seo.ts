import type { SealedStore } from "../kernel/sealed/index.ts";
import { botName } from "./bot/bot-name.ts";
import { telegraphKey, telegraphPlace } from "./previews/telegraph-token.ts";

/** Connections of projects are credentials of `workspaces`; before they are made, a dialogue holds what was typed. */
export const sealedSeo: readonly SealedStore[] = [
  typed("wordpress", "password"),
  typed("vk", "token"),
  typed("telegram", "token"),
  {
    kind: "keys",
    name: "Telegraph token of previews",
    prefixes: [telegraphKey],
    place: () => telegraphPlace,
    ifLost:
      "delete the key seo:telegraph_token of the key-value store: the next preview makes an account anew",
  },
];

function typed(platform: string, field: string): SealedStore {
  return {
    kind: "column",
    name: `typed to SEO Master's bot: ${platform} ${field}`,
    table: "dialogs.dialogues",
    key: ["workspace_id", "bot", "chat_id"],
    column: "data",
    path: [platform, field],
    only: { bot: botName },
    ifLost: "nothing is to be done: the person types it again",
  };
}
