import { type Environment, readSettings } from "../../kernel/config/index.ts";
import type { PlatformDefinition } from "../definition.ts";
import { sendSeries } from "../send-series.ts";
import { tokenCredential, withToken } from "../token-credential.ts";
import { check } from "./check.ts";
import { compile } from "./compile.ts";
import { corrections, edit, remove } from "./correct.ts";
import { limits } from "./limits.ts";
import { preview } from "./preview.ts";
import { resolve } from "./resolve.ts";
import { sendMedia } from "./send-media.ts";
import { sendText } from "./send-text.ts";
import { settings as environmentSettings } from "./settings.ts";
import { target } from "./target.ts";

/** Telegram through the Bot API. A bot cannot read a chat's history, so there is no `find`. */
export const telegram: PlatformDefinition = {
  name: "telegram",
  limits,
  settings: environmentSettings,
  twin: { TELEGRAM_API_ROOT: "/telegram" },
  credential: tokenCredential,
  target,
  words: { en: { credentials: "@BotFather" }, ru: { credentials: "@BotFather" } },
  create(environment, { requestTimeoutMs, uploadTimeoutMs }) {
    const settings = {
      apiRoot: telegramApiRoot(environment),
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
      ...(uploadTimeoutMs !== undefined && { uploadTimeoutMs }),
    };
    return {
      name: "telegram",
      limits,
      compile,
      preview,
      send: (compiled, context) =>
        sendSeries(compiled, withToken(context), (request, paced) =>
          request.media.length > 0
            ? sendMedia(request, { settings, context: paced })
            : sendText(request, { settings, context: paced }),
        ),
      resolve: (context) => resolve({ settings, context: withToken(context) }),
      check: (context) => check({ settings, context: withToken(context) }),
      corrections: corrections(settings),
      edit: (next, posted, context) => edit(next, posted, { settings, context: withToken(context) }),
      remove: (posted, context) => remove(posted, { settings, context: withToken(context) }),
    };
  },
};

/** The root of the Bot API, for calls other than posting. */
export function telegramApiRoot(environment: Environment): string {
  return readSettings(environmentSettings, environment).TELEGRAM_API_ROOT;
}
