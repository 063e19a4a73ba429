import { z } from "zod";
import { createTelegramBot, flowsOf, telegramBots } from "../../src/dialogs/index.ts";
import { defineTask } from "../../src/kernel/jobs/index.ts";
import type { Module } from "../../src/module/index.ts";

const both = (ru: string, en: string) => ({ ru, en });

export const troubledBot = "troubled-bot";

/** Fails for good at once. */
export const troubledTask = defineTask({
  name: "troubled.task",
  schema: z.object({ note: z.string() }),
  maxAttempts: 1,
  run: async ({ note }) => {
    throw new TypeError(`the job cannot work with "${note}"`);
  },
});

/** A product whose route, job and bot meet an error that nobody foresaw. `says` is the message of the route's. */
export function troubled(says: () => string): Module {
  let pressed = 0;
  const flow = flowsOf<object>()({
    name: "Troubled",
    title: both("неприятность", "trouble"),
    data: z.object({}),
    empty: {},
    first: "hello",
    entries: { commands: { start: { to: "hello" } } },
    inactivity: "never",
    states: {
      hello: {
        ask: both("Нажмите", "Tap"),
        noBack: true,
        buttons: {
          go: {
            label: both("Дальше", "On"),
            to: "done",
            press() {
              pressed += 1;
              // The next attempt goes well.
              if (pressed % 2 === 1) throw new RangeError("the step stumbled");
              return {};
            },
          },
        },
      },
      done: {
        ask: both("Готово", "Done"),
        noBack: true,
        buttons: {
          again: { label: both("Ещё раз", "Again"), to: "hello" },
          bye: { label: both("Хватит", "Enough"), to: "@end" },
        },
      },
    },
  });
  return {
    name: "troubled",
    wire: (core) => ({
      routes: [
        {
          name: "troubled",
          routes: (app) =>
            void app.post("/api/v1/troubled/:id", { config: { scope: "public" } }, async () => {
              throw new Error(says());
            }),
        },
      ],
      tasks: [troubledTask],
      bots: [createTelegramBot({ name: troubledBot, flows: [flow], services: {} }, telegramBots(core))],
    }),
  };
}
