import { z } from "zod";
import {
  createDialogs,
  createTelegramMessenger,
  createTelegramPolling,
  flowsOf,
  telegramApi,
} from "../../src/dialogs/index.ts";
import { connect } from "../../src/kernel/db/index.ts";
import { silentLog } from "../../src/kernel/log/index.ts";
import { createProviderClient } from "../../src/kernel/outbound/index.ts";

export interface CountingBotSettings {
  readonly databaseUrl: string;
  readonly apiRoot: string;
  readonly token: string;
  readonly key: { readonly workspaceId: string; readonly bot: string };
  readonly leaseMs: number;
  /** Where long work asks, with its id. */
  readonly workUrl: string;
}

interface Services {
  askFor(id: string): Promise<unknown>;
}

const both = (ru: string, en: string) => ({ ru, en });
const counter = flowsOf<Services>()({
  name: "Counter",
  title: both("счёт", "counting"),
  data: z.object({ count: z.number() }),
  empty: { count: 0 },
  first: "count",
  entries: { commands: { count: { to: "count" } } },
  inactivity: "never",
  states: {
    count: {
      ask: ({ count }) => `Счёт: ${count}`,
      buttons: {
        more: {
          label: both("Ещё", "More"),
          to: "@stay",
          press: ({ data }) => ({ data: { count: data.count + 1 } }),
        },
        double: { label: both("Удвоить", "Double"), to: "doubling" },
        end: { label: both("Хватит", "Enough"), to: "@end" },
      },
    },
    doubling: {
      ask: both("Считаю…", "Counting…"),
      to: "count",
      async work({ id, data, services }) {
        await services.askFor(id);
        return { data: { count: data.count * 2 } };
      },
      failed: { to: "count", text: both("Не вышло.", "That failed.") },
    },
  },
});

/** A bot that counts, with connections of its own; the answer stops it. */
export async function startCountingBot(settings: CountingBotSettings): Promise<() => Promise<void>> {
  const { databaseUrl, apiRoot, token, key, leaseMs, workUrl } = settings;
  const sql = connect({ url: databaseUrl, max: 4 });
  const http = createProviderClient();
  const api = telegramApi({ http, apiRoot, token: async () => token });
  const dialogs = createDialogs<Services>({
    ...{ sql, key, leaseMs, log: silentLog, flows: [counter], messenger: createTelegramMessenger(api) },
    services: { askFor: (id) => fetch(`${workUrl}/${id}`) },
  });
  const polling = createTelegramPolling({ api, log: silentLog, receive: dialogs.receive, holdSeconds: 1 });
  await dialogs.start();
  await polling.start();
  return async () => {
    await polling.stop();
    await dialogs.stop();
    await http.close();
    await sql.end({ timeout: 5 });
  };
}
