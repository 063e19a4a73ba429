import { type Environment, readSettings } from "../../kernel/config/index.ts";
import type { PlatformDefinition } from "../definition.ts";
import { sendSeries } from "../send-series.ts";
import { tokenCredential, withToken } from "../token-credential.ts";
import { check } from "./check.ts";
import type { MaxSettings } from "./client.ts";
import { compile } from "./compile.ts";
import { corrections, edit, remove } from "./correct.ts";
import { find } from "./find.ts";
import { limits } from "./limits.ts";
import { preview } from "./preview.ts";
import { sendMedia } from "./send-media.ts";
import { sendText } from "./send-text.ts";
import { settings as environmentSettings } from "./settings.ts";
import { target } from "./target.ts";

export { createMaxBot, type MaxBot, type MaxBotContext, withBotButtons } from "./bot.ts";
export type { MaxSettings } from "./client.ts";
export type { BotButton } from "./keyboard.ts";

/** MAX through its Bot API. Chats can be read back, so unknown outcomes are looked up. */
export const max: PlatformDefinition = {
  name: "max",
  limits,
  settings: environmentSettings,
  twin: { MAX_API_ROOT: "/max" },
  credential: tokenCredential,
  target,
  words: { en: { credentials: "business.max.ru" }, ru: { credentials: "business.max.ru" } },
  create(environment, tuning) {
    const { MAX_API_ROOT: apiRoot, MAX_UPLOAD_POLICY: uploadPolicy } = readSettings(
      environmentSettings,
      environment,
    );
    const settings: MaxSettings = { ...tuning, apiRoot, uploadPolicy };
    return {
      name: "max",
      limits,
      compile,
      preview,
      send: (compiled, context) =>
        sendSeries(compiled, withToken(context), (request, paced) =>
          request.media.length > 0
            ? sendMedia(request, { settings, context: paced })
            : sendText(request, { settings, context: paced }),
        ),
      find: (compiled, context) => find(compiled, withToken(context), settings),
      check: (context) => check({ settings, context: withToken(context) }),
      corrections,
      edit: (next, posted, context) => edit(next, posted, { settings, context: withToken(context) }),
      remove: (posted, context) => remove(posted, { settings, context: withToken(context) }),
    };
  },
};

/** The root of the Bot API, for calls other than posting. */
export function maxApiRoot(environment: Environment): string {
  return readSettings(environmentSettings, environment).MAX_API_ROOT;
}
