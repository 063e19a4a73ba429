import type { Log } from "../../kernel/log/index.ts";
import type { Service } from "../../kernel/service/index.ts";
import { createWorker } from "../../kernel/worker/index.ts";
import type { TelegramApi } from "./client.ts";

export interface MenuCommand {
  readonly command: string;
  readonly ru: string;
  readonly en: string;
}

/** Russian for people with a Russian Telegram, English for everybody else. */
const languages = [
  { language: "ru", scope: { language_code: "ru" } },
  { language: "en", scope: {} },
] as const;
const rests = { doneMs: 24 * 3_600_000, failedMs: 60_000 } as const;

/** Sets Telegram's menu of commands. The bot works without it, so nothing waits for it. */
export function createCommandMenu(commands: readonly MenuCommand[], api: TelegramApi, log: Log): Service {
  async function set(): Promise<number> {
    if (commands.length === 0) return rests.doneMs;
    for (const { language, scope } of languages) {
      const menu = commands.map(({ command, [language]: description }) => ({ command, description }));
      const answer = await api.call((telegram) => telegram.setMyCommands(menu, scope));
      if (answer.kind === "ok") continue;
      log.warn(
        { reason: answer.kind === "refused" ? answer.description : answer.reason },
        "the menu was not set",
      );
      return rests.failedMs;
    }
    return rests.doneMs;
  }
  return createWorker({
    name: "command menu",
    log,
    trouble: "the menu was not set",
    safetyNetMs: rests.doneMs,
    round: set,
  });
}
