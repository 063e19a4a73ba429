// A built bot that counts, in a process of its own, so that a test can kill it.
import { once } from "node:events";
import { z } from "zod";
import {
  createDialogs,
  createTelegramMessenger,
  createTelegramPolling,
  flowsOf,
  telegramApi,
} from "../../dist/src/dialogs/index.js";
import { connect } from "../../dist/src/kernel/db/index.js";
import { silentLog } from "../../dist/src/kernel/log/index.js";
import { createProviderClient } from "../../dist/src/kernel/outbound/index.js";

const both = (ru, en) => ({ ru, en });
const counter = flowsOf()({
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

// Everything is loaded now; the settings come when the test needs it.
await import("grammy");
const [{ databaseUrl, apiRoot, token, key, leaseMs, workUrl }] = await once(process, "message");
const api = telegramApi({ http: createProviderClient(), apiRoot, token: async () => token });
const dialogs = createDialogs({
  sql: connect({ url: databaseUrl, max: 4 }),
  log: silentLog,
  key,
  leaseMs,
  flows: [counter],
  messenger: createTelegramMessenger(api),
  services: { askFor: (id) => fetch(`${workUrl}/${id}`) },
});
await dialogs.start();
await createTelegramPolling({ api, log: silentLog, receive: dialogs.receive, holdSeconds: 1 }).start();
process.send?.("ready");
