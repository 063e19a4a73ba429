/** The bot: Telegram on one side, the advisor's HTTP on the other, conversations between them. */
import type { TelegramBotSettings, Written } from "../dialogs/index.ts";
import { emergencyIn, firstAidFor } from "../firstaid/index.ts";
import type { Clock } from "../kernel/clock/index.ts";
import { uuidv7 } from "../kernel/ids/index.ts";
import type { HttpClient } from "../kernel/outbound/index.ts";
import { type BackendSettings, createBackend } from "./backend/client.ts";
import { ask } from "./flows/ask.ts";
import { me } from "./flows/me.ts";
import { menu } from "./flows/menu.ts";
import { pet } from "./flows/pet.ts";
import { petEdit } from "./flows/pet-edit.ts";
import type { BotServices } from "./flows/services.ts";
import { both, texts } from "./texts/index.ts";

/** Also the `auth_ref` of its token among the credentials. */
export const botName = "advisor-bot";

export const advisorBotFlows = [menu, ask, pet, petEdit, me] as const;

const commands = ["menu", "ask", "pet", "history", "me", "delete", "help"] as const;

/** Notes on a pet's card tell of what has been; nothing else that people write does. */
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
  /** Where people get Pro: an address or a name in Telegram. */
  readonly proContact: string | undefined;
}

export function advisorBot(settings: AdvisorBotSettings): TelegramBotSettings<BotServices> {
  const { http, clock, backend, proContact } = settings;
  return {
    name: botName,
    flows: advisorBotFlows,
    home: menu.name,
    interject: firstAid,
    commands: commands.map((command) => ({ command, ...both((t) => t.commands[command]) })),
    services: { backend: createBackend({ ...backend, http }), newId: () => uuidv7(clock), proContact },
  };
}
