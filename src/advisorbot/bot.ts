/** The bot as a service: Telegram on one side, the advisor's HTTP on the other, conversations between them. */
import {
  createDialogs,
  createTelegramMessenger,
  createTelegramPolling,
  type Language,
  telegramApi,
} from "../dialogs/index.ts";
import type { Clock } from "../kernel/clock/index.ts";
import type { Sql } from "../kernel/db/index.ts";
import { uuidv7 } from "../kernel/ids/index.ts";
import type { Log } from "../kernel/log/index.ts";
import type { HttpClient } from "../kernel/outbound/index.ts";
import { type Service, serviceGroup } from "../kernel/service/index.ts";
import { type BackendSettings, createBackend } from "./backend/client.ts";
import { ask } from "./flows/ask.ts";
import { me } from "./flows/me.ts";
import { menu } from "./flows/menu.ts";
import { pet } from "./flows/pet.ts";
import { petEdit } from "./flows/pet-edit.ts";
import type { BotServices } from "./flows/services.ts";
import { texts } from "./texts/index.ts";

export const advisorBotFlows = [menu, ask, pet, petEdit, me] as const;

export interface AdvisorBotSettings {
  readonly sql: Sql;
  readonly clock: Clock;
  readonly log: Log;
  readonly http: HttpClient;
  /** Without a trailing slash. */
  readonly apiRoot: string;
  readonly token: string;
  readonly backend: Omit<BackendSettings, "http">;
  /** Whose conversations these are. */
  workspaceId(): Promise<string>;
  /** Where people get Pro: an address or a name in Telegram. */
  readonly proContact?: string | undefined;
  readonly leaseMs?: number;
}

export function createAdvisorBot(settings: AdvisorBotSettings): Service {
  const { sql, clock, log, http, apiRoot, token, backend, proContact, leaseMs } = settings;
  let running: Service | undefined;
  const services: BotServices = {
    backend: createBackend({ ...backend, http }),
    newId: () => uuidv7(clock),
    proContact,
  };
  const api = telegramApi({ http, apiRoot, token: async () => token });

  return {
    name: "advisor bot",
    async start() {
      const dialogs = createDialogs({
        ...{ sql, clock, log, services },
        key: { workspaceId: await settings.workspaceId(), bot: "advisor" },
        flows: advisorBotFlows,
        messenger: createTelegramMessenger(api),
        home: menu.name,
        ...(leaseMs !== undefined && { leaseMs }),
      });
      const polling = createTelegramPolling({ api, log, receive: dialogs.receive });
      running = serviceGroup("advisor bot", [dialogs, polling]);
      await running.start();
      for (const language of ["ru", "en"] as const)
        await api.call((telegram) =>
          telegram.setMyCommands(commandsIn(language), language === "ru" ? {} : { language_code: language }),
        );
    },
    async stop() {
      await running?.stop();
      running = undefined;
    },
  };
}

function commandsIn(language: Language) {
  return Object.entries(texts[language].commands).map(([command, description]) => ({ command, description }));
}
