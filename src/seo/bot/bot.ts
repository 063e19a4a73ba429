/** The bot of SEO Master: its flows and screens, by area. */
import type { TelegramBotSettings } from "../../dialogs/index.ts";
import { readStored } from "../pictures/stored-files.ts";
import { adminFlows, adminScreens } from "./admin/index.ts";
import { analysisFlows, analysisScreens } from "./analysis/index.ts";
import { articleFlows, articleScreens } from "./articles/index.ts";
import { botName } from "./bot-name.ts";
import { categoryFlows, categoryScreens } from "./categories/index.ts";
import { connectionFlows, connectionScreens } from "./connections/index.ts";
import { contentFlows, contentScreens } from "./content/index.ts";
import { homeFlows, homeScreens } from "./home/index.ts";
import { keyboard } from "./keyboard.ts";
import { keywordFlows, keywordScreens } from "./keywords/index.ts";
import { pace } from "./limits.ts";
import { looksSecret } from "./looks-secret.ts";
import { meet } from "./meet.ts";
import { moneyFlows, moneyScreens } from "./money/index.ts";
import { postFlows, postScreens } from "./posts/index.ts";
import { projectFlows, projectScreens } from "./projects/index.ts";
import { removal } from "./removal/removal.ts";
import { scheduleFlows, scheduleScreens } from "./schedule/index.ts";
import type { BotServices } from "./services.ts";
import { both } from "./texts/index.ts";

export const botFlows = [
  ...[...homeFlows, ...projectFlows, ...categoryFlows, ...keywordFlows, ...contentFlows],
  ...[...connectionFlows, ...articleFlows, ...postFlows, ...scheduleFlows, ...analysisFlows],
  ...[...moneyFlows, ...adminFlows, removal],
];

export const botScreens = [
  ...[...homeScreens, ...projectScreens, ...categoryScreens, ...keywordScreens, ...contentScreens],
  ...[...connectionScreens, ...articleScreens, ...postScreens, ...scheduleScreens, ...analysisScreens],
  ...[...moneyScreens, ...adminScreens],
];

/** What the installation sets. */
export type BotHouse = Pick<TelegramBotSettings<BotServices>, "timing" | "webhook" | "till">;

export function seoBot(services: BotServices, house: BotHouse = {}): TelegramBotSettings<BotServices> {
  return {
    name: botName,
    flows: botFlows,
    screens: botScreens,
    keyboard,
    ...{ meet, services, pace, texts: both((t) => t.engine), ...house },
    home: "screen:dashboard",
    commands: (["start", "help", "cancel"] as const).map((command) => ({
      command,
      ...both((t) => t.home.commands[command]),
    })),
    looksSecret,
    files: (key) => readStored(services.articles.storage, key),
  };
}
