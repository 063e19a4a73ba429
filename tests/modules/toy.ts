import { z } from "zod";
import { createTelegramBot, flowsOf, telegramBots } from "../../src/dialogs/index.ts";
import { defineTask, enqueue, every } from "../../src/kernel/jobs/index.ts";
import type { Module } from "../../src/module/index.ts";
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

/** The least that a product may be: a route that begins long work, the work, upkeep, a conversation, a command. */
export function toy(done: (what: string) => void): Module {
  const paint = defineTask({
    name: "toy.paint",
    schema: z.object({ colour: z.string() }),
    run: async ({ colour }) => done(`painted ${colour}`),
  });
  return {
    name: "toy",
    flows: [greeting],
    commands: [
      (program, terminal) =>
        void program.command("toy").action(() => terminal.out("the toy is at your service")),
    ],
    wire: (core) => ({
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
                body: z.strictObject({ colour: z.string() }),
                answer: z.object({ job_id: z.string() }),
                status: 202,
              },
              async ({ body }) => ({ job_id: await enqueue(core.sql, paint, body) }),
            );
          },
        },
      ],
      tasks: [paint],
      cron: [every("* * * * *", "toy.dust", async () => done("dusted"))],
      bots: [createTelegramBot({ name: "toy-bot", flows: [greeting], services: {} }, telegramBots(core))],
      seed: async () => ["the toy is seeded"],
    }),
  };
}
