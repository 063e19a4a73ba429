import type { Platform } from "../contract.ts";
import { sendSeries } from "../send-series.ts";
import { check } from "./check.ts";
import type { MaxSettings } from "./client.ts";
import { compile } from "./compile.ts";
import { find } from "./find.ts";
import { limits } from "./limits.ts";
import { preview } from "./preview.ts";
import { sendMedia } from "./send-media.ts";
import { sendText } from "./send-text.ts";

export { createMaxBot, type MaxBot, type MaxBotContext, withBotButtons } from "./bot.ts";
export type { MaxSettings } from "./client.ts";
export type { BotButton } from "./keyboard.ts";
export type { UploadPolicy } from "./upload-policy.ts";

/** MAX through its Bot API. What a chat holds can be read back, so unknown outcomes are looked up. */
export function createMax(settings: MaxSettings): Platform {
  return {
    name: "max",
    limits,
    compile,
    preview,
    send: (compiled, context) =>
      sendSeries(compiled, context, (request, paced) =>
        request.media.length > 0
          ? sendMedia(request, { settings, context: paced })
          : sendText(request, { settings, context: paced }),
      ),
    find: (compiled, context) => find(compiled, context, settings),
    check: (context) => check({ settings, context }),
  };
}
