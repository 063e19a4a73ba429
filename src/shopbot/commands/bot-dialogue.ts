import type { Command } from "commander";
import {
  addList,
  byOf,
  type Common,
  inWorkspace,
  moment,
  type Paged,
  print,
  printing,
  reading,
  shortened,
  type Terminal,
  table,
} from "../../terminal/index.ts";
import { noteReading } from "../../workspaces/index.ts";
import { answerCustomer, returnChat, takeChat } from "../admin/answer-customer.ts";
import { type DialogueSummary, type DialogueView, listDialogues, readDialogue } from "../read/dialogues.ts";
import { withBot } from "./with-bot.ts";

/** `molva bot dialogue list|show|reply|take|return`: what was said, and taking part in it. */
export function addBotDialogue(bot: Command, terminal: Terminal): void {
  const command = bot.command("dialogue").description("what was said, and taking part in it");

  addList<DialogueSummary, Paged & { withOperator?: boolean }>(command, terminal, {
    about: "dialogues, the newest first",
    usual: 30,
    choosing: (list) => list.option("--with-operator", "only those that a person has"),
    async page({ sql, clock }, workspaceId, options) {
      const now = clock.now();
      const found = await listDialogues(sql, workspaceId, now, options);
      const meta = { object: "dialogues", count: found.items.length };
      await noteReading(sql, { workspaceId, now, by: byOf(options), meta });
      return found;
    },
    shown: dialogueTable,
  });

  reading(command, "show", "one dialogue, with the rule and the state of every step")
    .argument("<chat>", "its id")
    .action(async (chatId: string, options: Common) => {
      const dialogue = await withBot(terminal, options, async ({ sql, clock }, workspaceId) => {
        const now = clock.now();
        const found = await readDialogue(sql, workspaceId, chatId, now);
        const meta = { object: "dialogue", chat_id: chatId };
        await noteReading(sql, { workspaceId, now, by: byOf(options), meta });
        return found;
      });
      print(terminal, options, dialogue, () => dialogueText(dialogue));
    });

  inWorkspace(
    printing(
      command.command("reply").description("answer a customer as a person; the bot falls silent there"),
    ),
  )
    .argument("<chat>", "its id")
    .argument("<text>", "what to say")
    .action(async (chatId: string, text: string, options: Common) => {
      const sent = await withBot(terminal, options, (deps, workspaceId) =>
        answerCustomer(deps, workspaceId, chatId, text, byOf(options)),
      );
      print(
        terminal,
        options,
        sent,
        () => "On its way; the chat is yours until molva bot dialogue return, or until it is quiet for long.",
      );
    });

  inWorkspace(printing(command.command("take").description("take a chat over from the bot")))
    .argument("<chat>", "its id")
    .action(async (chatId: string, options: Common) => {
      await withBot(terminal, options, (deps, workspaceId) => takeChat(deps, workspaceId, chatId));
      print(terminal, options, { taken: true }, () => "The bot is silent there.");
    });

  inWorkspace(printing(command.command("return").description("give a chat back to the bot")))
    .argument("<chat>", "its id")
    .action(async (chatId: string, options: Common) => {
      const returned = await withBot(terminal, options, (deps, workspaceId) =>
        returnChat(deps, workspaceId, chatId),
      );
      print(terminal, options, { returned }, () =>
        returned ? "The bot answers there again." : "The bot had it already.",
      );
    });
}

function dialogueText({ chat_id, user_name, state, steps }: DialogueView): string {
  return [
    `${user_name ?? "Somebody"} (chat ${chat_id}), now in ${state}`,
    ...steps.flatMap((step) => [
      "",
      `${moment(step.ts)} ${step.who}${step.author ? ` ${step.author}` : ""}: ${step.text}`,
      ...(step.who === "customer"
        ? [
            `  ${step.outcome}${step.rule_id ? ` by ${step.rule_id}@${step.rule_version}` : ""}, ${step.state_before} → ${step.state_after}`,
            ...(step.answer === null ? [] : [`  ${step.answer_status}: ${shortened(step.answer, 100)}`]),
          ]
        : []),
      ...(step.error === null ? [] : [`  ${step.error}`]),
    ]),
  ].join("\n");
}

const dialogueTable = table<DialogueSummary>("No dialogues.", {
  chat: ({ chat_id }) => chat_id,
  who: ({ user_name }) => user_name ?? "",
  last: ({ last_seen_at }) => moment(last_seen_at),
  state: ({ state }) => state,
  said: ({ last_text }) => shortened(last_text ?? "", 60),
});
