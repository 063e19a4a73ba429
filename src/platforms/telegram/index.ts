import type { Platform } from "../contract.ts";
import { sendSeries } from "../send-series.ts";
import { check } from "./check.ts";
import type { TelegramSettings } from "./client.ts";
import { compile } from "./compile.ts";
import { limits } from "./limits.ts";
import { preview } from "./preview.ts";
import { resolve } from "./resolve.ts";
import { sendMedia } from "./send-media.ts";
import { sendText } from "./send-text.ts";

export type { TelegramSettings } from "./client.ts";

/** Telegram through the Bot API. A bot cannot read a chat back, so there is no `find`. */
export function createTelegram(settings: TelegramSettings): Platform {
  return {
    name: "telegram",
    limits,
    compile,
    preview,
    send: (compiled, context) =>
      sendSeries(compiled, context, (request, paced) =>
        request.media.length > 0
          ? sendMedia(request, { settings, context: paced })
          : sendText(request, { settings, context: paced }),
      ),
    resolve: (context) => resolve({ settings, context }),
    check: (context) => check({ settings, context }),
  };
}
