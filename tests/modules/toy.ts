import { z } from "zod";
import { createTelegramBot, flowsOf, telegramBots } from "../../src/dialogs/index.ts";
import { oneOf, settingGroup, settingsOf } from "../../src/kernel/config/index.ts";
import { defineTask, enqueue, every } from "../../src/kernel/jobs/index.ts";
import type { Module } from "../../src/module/index.ts";
import { configOf } from "../../src/terminal/index.ts";
import { workspaceRoutes } from "../../src/workspaces/index.ts";

const both = (ru: string, en: string) => ({ ru, en });

const greeting = flowsOf<object>()({
  name: "ToyGreeting",
  title: both("приветствие", "a greeting"),
  data: z.object({}),
  empty: {},
  first: "hello",
  entries: { commands: { start: { to: "hello" } } },
  inactivity: "never",
  states: {
    hello: {
      ask: both("Привет!", "Hello!"),
      buttons: { bye: { label: both("Пока", "Bye"), to: "@end" } },
      noBack: true,
    },
  },
});

const toySettings = settingGroup({
  TOY_COLOUR: {
    group: "Toys",
    about: { en: "What toys are painted in.", ru: "Чем красят игрушки." },
    schema: oneOf("красный", "синий"),
    fallback: "красный",
  },
});

const toyMetrics = {
  painted: {
    name: "toys_painted_total",
    help: "Toys by the colour they were painted in",
    labels: ["colour"],
  },
} as const;

/** The smallest product: a route that begins long work, the work, upkeep, a dialog, a command, a setting, a metric. */
export function toy(done: (what: string) => void): Module {
  let count: (colour: string) => void = () => {};
  const paint = defineTask({
    name: "toy.paint",
    schema: z.object({ colour: z.string() }),
    run: async ({ colour }) => {
      count(colour);
      done(`painted ${colour}`);
    },
  });
  return {
    name: "toy",
    settings: toySettings,
    metrics: Object.values(toyMetrics),
    flows: [greeting],
    commands: [
      (program, terminal) =>
        void program.command("toy").action(() => {
          const { TOY_COLOUR } = settingsOf({ config: configOf(terminal) }, toySettings);
          terminal.out(`the toy is ${TOY_COLOUR}`);
        }),
    ],
    wire: (core) => {
      const { TOY_COLOUR } = settingsOf(core, toySettings);
      const painted = core.metrics.counter(toyMetrics.painted);
      count = (colour) => painted.inc({ colour });
      return {
        routes: [
          {
            name: "toy",
            routes(app) {
              const routes = workspaceRoutes(app, core.sql, { under: "/api/v1/toys", tag: "toys" });
              routes.post(
                "/paint",
                {
                  scope: "write",
                  summary: "Paint a toy",
                  body: z.strictObject({ colour: z.string().optional() }),
                  answer: z.object({ job_id: z.string() }),
                  status: 202,
                },
                async ({ body }) => ({
                  job_id: await enqueue(core.sql, paint, { colour: body.colour ?? TOY_COLOUR }),
                }),
              );
            },
          },
        ],
        tasks: [paint],
        cron: [every("* * * * *", "toy.dust", async () => done("dusted"))],
        bots: [createTelegramBot({ name: "toy-bot", flows: [greeting], services: {} }, telegramBots(core))],
        seed: async () => ["the toy is seeded"],
      };
    },
  };
}
