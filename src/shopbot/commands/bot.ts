import type { Command } from "commander";
import { publicUrlOf } from "../../configured/index.ts";
import {
  type AddCommand,
  administer,
  assigned,
  byOf,
  type Common,
  changing,
  checked,
  columns,
  configOf,
  counted,
  countOf,
  facts,
  fieldsHelp,
  fromFile,
  moment,
  type Paged,
  paging,
  print,
  printPage,
  reading,
  refuseTyped,
  secretIn,
  shortened,
  shown,
  type Terminal,
  table,
  UserError,
} from "../../terminal/index.ts";
import { noteReading, pageOfAll } from "../../workspaces/index.ts";
import { botChanges, changeBot, newBot, readBot, renewSecret, setUpBot } from "../admin/bot-setup.ts";
import { lookAtBot } from "../monitor/bot-monitor.ts";
import { botStats } from "../read/bot-stats.ts";
import type { QuestionGroup } from "../read/similar-questions.ts";
import { unanswered } from "../read/unanswered.ts";
import { keepSubscribed } from "../subscription/keep-subscribed.ts";
import { addBotDialogue } from "./bot-dialogue.ts";
import { addBotFile } from "./bot-file.ts";
import { addBotRule } from "./bot-rule.ts";
import { withBot } from "./with-bot.ts";

/** `molva bot …`: the shop bot, its rules and its dialogues. */
export const addBotCommand: AddCommand = (program, terminal) => {
  const command = program.command("bot").description("the shop bot that answers customers in MAX");
  addBotItself(command, terminal);
  addBotFile(command, terminal);
  addBotRule(command, terminal);
  addBotDialogue(command, terminal);
  addBotFigures(command, terminal);
};

function addBotItself(command: Command, terminal: Terminal): void {
  reading(command, "show", "the bot, its webhook and the rules in force").action(async (options: Common) => {
    const bot = await withBot(terminal, options, ({ sql }, workspaceId) => readBot(sql, workspaceId));
    print(terminal, options, bot, () => shown(bot));
  });

  changing(command, "setup", "make the workspace's bot")
    .argument("<title>", "its name")
    .argument("[field=value...]", "the rest")
    .option("--token-file <path>", `the bot's own token: ${fromFile}`)
    .addHelpText("after", fieldsHelp(newBot.shape, ["title", "token"]))
    .action(async (title: string, typed: string[], options: Common & { tokenFile?: string }) => {
      refuseTyped(typed, "token", "--token-file");
      const token = await secretIn(options.tokenFile);
      const given = checked(newBot, {
        ...assigned(newBot, typed),
        title,
        ...(token !== undefined && { token }),
      });
      const bot = await withBot(terminal, options, (deps, workspaceId) =>
        setUpBot(deps, workspaceId, given, byOf(options)),
      );
      print(terminal, options, bot, () =>
        [`${bot.title} is there. Next: molva bot apply <file>, then molva bot subscribe.`, shown(bot)].join(
          "\n",
        ),
      );
    });

  changing(command, "set", "change the bot: on or off, rates, operators")
    .argument("<field=value...>", "what to change")
    .addHelpText("after", fieldsHelp(botChanges.shape))
    .action(async (typed: string[], options: Common) => {
      const changes = checked(botChanges, assigned(botChanges, typed));
      const bot = await withBot(terminal, options, (deps, workspaceId) =>
        changeBot(deps, workspaceId, changes, byOf(options)),
      );
      print(terminal, options, bot, () => shown(bot));
    });

  changing(command, "subscribe", "tell MAX to send updates here, and keep it so")
    .option("--new-secret", "with another secret; the old one opens nothing any more")
    .action(async (options: Common & { newSecret?: boolean }) => {
      const bot = await withBot(terminal, options, async (deps, workspaceId) => {
        await readBot(deps.sql, workspaceId);
        if (options.newSecret) await renewSecret(deps, workspaceId, byOf(options));
        const url = publicUrlOf(configOf(terminal));
        const kept = await keepSubscribed(workspaceId, url, deps, { force: true });
        if (kept.kind === "failed") throw new UserError(`MAX did not take the subscription: ${kept.reason}`);
        return changeBot(deps, workspaceId, { keep_subscribed: true }, byOf(options));
      });
      print(
        terminal,
        options,
        bot,
        () => `MAX sends updates to ${bot.webhook_url}. A running server looks after it.`,
      );
    });
}

function addBotFigures(command: Command, terminal: Terminal): void {
  const since = (days: number) => new Date(Date.now() - days * 86_400_000);

  paging(reading(command, "unanswered", "questions that no rule knew, grouped by likeness"), 50)
    .option("--days <count>", "how far back", countOf, 7)
    .action(async (options: Paged & { days: number }) => {
      const page = await administer(terminal, options, async ({ sql, clock }, workspaceId) => {
        const found = pageOfAll(await unanswered(sql, workspaceId, since(options.days)), options);
        const meta = { object: "unanswered_questions", count: found.items.length };
        await noteReading(sql, { workspaceId, now: clock.now(), by: byOf(options), meta });
        return found;
      });
      printPage(terminal, options, page, questionTable);
    });

  reading(command, "stats", "what the bot did: questions, answers, rules, times")
    .option("--days <count>", "how far back", countOf, 7)
    .action(async (options: Common & { days: number }) => {
      const stats = await withBot(terminal, options, ({ sql }, workspaceId) =>
        botStats(sql, workspaceId, since(options.days)),
      );
      const { rules, answer_seconds, since: from, ...counts } = stats;
      print(terminal, options, stats, () =>
        [
          facts([
            ["since", moment(from)],
            ...Object.entries(counts).map(([name, count]): [string, string] => [name, String(count)]),
            ["median", seconds(answer_seconds.median)],
            ["p95", seconds(answer_seconds.p95)],
          ]),
          ...(rules.length > 0
            ? [
                "",
                columns(
                  ["RULE", "INTENT", "TIMES"],
                  rules.map(({ rule_id, intent, count }) => [rule_id, intent, String(count)]),
                ),
              ]
            : []),
        ].join("\n"),
      );
    });

  reading(command, "monitor", "errors and unanswered questions of the last minutes").action(
    async (options: Common) => {
      const look = await withBot(terminal, options, ({ sql, clock }, workspaceId) =>
        lookAtBot(sql, workspaceId, clock.now()),
      );
      if (!look) throw new UserError("The workspace has no shop bot: `molva bot setup` makes one.");
      const { rules, snapshot, reasons } = look;
      print(terminal, options, { snapshot, reasons, rules }, () =>
        [
          facts([
            ["looks back", counted(rules.window_minutes, "minute")],
            ["messages", String(snapshot.total_logs)],
            ["errors", `${snapshot.error_logs}, an alert above ${rules.errors}`],
            [
              "unanswered",
              `${snapshot.fallback_logs} (${snapshot.fallback_rate_pct} %), an alert above ${rules.fallback_rate_pct} % of at least ${counted(rules.min_questions, "question")}`,
            ],
          ]),
          reasons.length > 0 ? `Alert: ${reasons.join(", ")}.` : "All is well.",
        ].join("\n"),
      );
    },
  );
}

function seconds(value: number | null): string {
  return value === null ? "–" : `${value.toFixed(2)} s to the answer`;
}

const questionTable = table<QuestionGroup>("Every question had a rule.", {
  times: ({ count }) => String(count),
  chats: ({ chats }) => String(chats),
  last: ({ last_at }) => moment(last_at),
  words: ({ words }) => words.join(" "),
  question: ({ example }) => shortened(example, 80),
});
