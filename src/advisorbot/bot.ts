import type { TelegramBotSettings, Till, Written } from "../dialogs/index.ts";
import { emergencyIn, firstAidFor } from "../firstaid/index.ts";
import type { Clock } from "../kernel/clock/index.ts";
import { uuidv7 } from "../kernel/ids/index.ts";
import type { HttpClient } from "../kernel/outbound/index.ts";
import { type BackendSettings, createBackend } from "./backend/backend-client.ts";
import { ask } from "./flows/ask.ts";
import { me } from "./flows/me.ts";
import { menu } from "./flows/menu.ts";
import { pet } from "./flows/pet.ts";
import { petEdit } from "./flows/pet-edit.ts";
import { pro } from "./flows/pro.ts";
import type { BotServices } from "./flows/services.ts";
import type { ProSales } from "./pro/pro-sales.ts";
import { both, texts } from "./texts/index.ts";

/** Also the `auth_ref` of its token. */
export const botName = "advisor-bot";

export const advisorBotFlows = [menu, ask, pet, petEdit, me, pro] as const;

const commands = ["menu", "ask", "pet", "history", "me", "pro", "delete", "help"] as const;

/** In notes on a pet's card people describe the past, so they are not checked for emergencies. */
const notes: ReadonlySet<string> = new Set(["health_note", "vaccine_details", "parasite_details", "note"]);

function firstAid({ text, flow, state, language }: Written) {
  const isNote = flow === petEdit.name && state !== null && notes.has(state);
  const emergency = isNote ? undefined : emergencyIn(text);
  return emergency && { markdown: texts[language].firstAid(firstAidFor(emergency, language)) };
}

export interface AdvisorBotSettings {
  readonly http: HttpClient;
  readonly clock: Clock;
  readonly backend: Omit<BackendSettings, "http">;
  /** Where people get Pro: a URL or a Telegram name. */
  readonly proContact: string | undefined;
  /** Pro is sold in the bot: how, and who keeps the money. */
  readonly selling?: { readonly pro: ProSales | undefined; readonly till: Till } | undefined;
}

export function advisorBot(settings: AdvisorBotSettings): TelegramBotSettings<BotServices> {
  const { http, clock, backend, proContact, selling } = settings;
  return {
    name: botName,
    flows: advisorBotFlows,
    home: menu.name,
    interject: firstAid,
    commands: commands.map((command) => ({ command, ...both((t) => t.commands[command]) })),
    services: {
      ...{ backend: createBackend({ ...backend, http }), newId: () => uuidv7(clock), proContact },
      pro: selling?.pro,
    },
    ...(selling && { till: selling.till }),
  };
}
