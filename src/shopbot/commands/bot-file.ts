import { writeFile } from "node:fs/promises";
import type { Command } from "commander";
import {
  administer,
  byOf,
  type Common,
  changing,
  counted,
  countOf,
  exitCodes,
  inWords,
  moment,
  type Paged,
  paging,
  print,
  printing,
  printPage,
  reading,
  shortened,
  type Terminal,
  table,
  textOf,
  UserError,
  valueText,
} from "../../terminal/index.ts";
import { noteReading } from "../../workspaces/index.ts";
import { tryMessage } from "../admin/try-message.ts";
import { type Check, checkFile, replayFile, testFile } from "../rules/check-file.ts";
import type { RuleDiff } from "../rules/diff-files.ts";
import {
  applyFile,
  currentFile,
  type Release,
  releaseFile,
  releasePage,
  rollBack,
} from "../rules/releases.ts";
import type { Replay } from "../rules/replay-messages.ts";
import { inForce } from "./bot-rule.ts";
import { replyCompiler, withBot } from "./with-bot.ts";

/** The rule file of a bot, its releases, and trying it out. */
export function addBotFile(command: Command, terminal: Terminal): void {
  addFile(command, terminal);
  addReleases(command, terminal);
  addTrial(command, terminal);
}

function addFile(command: Command, terminal: Terminal): void {
  reading(command, "export", "the rule file in force, with its comments")
    .argument("[path]", "where to write it; standard output unless given")
    .option("--release <number>", "of an earlier release", countOf)
    .action(async (path: string | undefined, options: Common & { release?: number }) => {
      const file = await withBot(terminal, options, ({ sql }, workspaceId) =>
        options.release === undefined
          ? currentFile(sql, workspaceId)
          : releaseFile(sql, workspaceId, options.release),
      );
      if (file === undefined) throw new UserError("No rules are in force yet: molva bot apply <file>.");
      if (path) await writeFile(path, file);
      print(terminal, options, { file }, () => (path ? `Written to ${path}.` : file.trimEnd()));
    });

  printing(command.command("test").description("play a file's example dialogues; needs no server"))
    .argument("<file>", "the rule file; - reads standard input")
    .action(async (path: string, options: Common) => {
      const text = await textOf(path);
      const tested = await inWords(async () => testFile(text, replyCompiler(terminal)));
      print(terminal, options, tested, () => testText(tested));
      if (!tested.ok) throw new UserError("The file is not ready.", exitCodes.failed);
    });

  reading(command, "diff", "what a file would change")
    .argument("<file>", "the rule file; - reads standard input")
    .action(async (path: string, options: Common) => {
      const text = await textOf(path);
      const { diff } = await withBot(terminal, options, (deps, workspaceId) =>
        checkFile(text, workspaceId, deps),
      );
      print(terminal, options, diff, () => diffText(diff));
    });

  reading(command, "replay", "what a file would change for real past messages")
    .argument("<file>", "the rule file; - reads standard input")
    .option("--last <count>", "how many messages", countOf, 500)
    .action(async (path: string, options: Common & { last: number }) => {
      const text = await textOf(path);
      const report = await withBot(terminal, options, async ({ sql, clock }, workspaceId) => {
        const found = await replayFile(text, workspaceId, options.last, sql);
        const meta = { object: "replayed_messages", count: found.changes.length };
        await noteReading(sql, { workspaceId, now: clock.now(), by: byOf(options), meta });
        return found;
      });
      print(terminal, options, report, () => replayText(report));
    });

  changing(command, "apply", "put a rule file in force, all of it at once")
    .argument("<file>", "the rule file; - reads standard input")
    .option("--force", "also when an example dialogue does not go as written")
    .action(async (path: string, options: Common & { force?: boolean }) => {
      const text = await textOf(path);
      const release = await withBot(terminal, options, (deps, workspaceId) =>
        applyFile(deps, workspaceId, text, byOf(options), { force: options.force }),
      );
      print(terminal, options, release, () =>
        [inForce(release), ...release.warnings.map(({ en, ru }) => `Warning: ${en}. / ${ru}.`)].join("\n"),
      );
    });
}

function addReleases(command: Command, terminal: Terminal): void {
  changing(command, "rollback", "go back to an earlier release of the rules")
    .argument("[release]", "its number; the one before the last unless given", countOf)
    .action(async (release: number | undefined, options: Common) => {
      const made = await withBot(terminal, options, (deps, workspaceId) =>
        rollBack(deps, workspaceId, release, byOf(options)),
      );
      print(terminal, options, made, () => `${inForce(made)} It is release ${made.based_on} again.`);
    });

  paging(reading(command, "releases", "sets of rules that were in force, the newest first"), 50).action(
    async (options: Paged) => {
      const page = await administer(terminal, options, ({ sql }, workspaceId) =>
        releasePage(sql, workspaceId, options),
      );
      printPage(terminal, options, page, releaseTable);
    },
  );
}

function addTrial(command: Command, terminal: Terminal): void {
  reading(command, "try", "what the bot would answer, without sending anything")
    .argument("<text>", "what a customer writes")
    .option("--state <state>", "in this state", "default")
    .option("--file <path>", "by these rules instead of those in force")
    .action(async (text: string, options: Common & { state: string; file?: string }) => {
      const file = options.file === undefined ? undefined : await textOf(options.file);
      const trial = await withBot(terminal, options, (deps, workspaceId) =>
        tryMessage(deps, workspaceId, { text, state: options.state, ...(file !== undefined && { file }) }),
      );
      print(terminal, options, trial, () =>
        [
          `${trial.outcome}${trial.rule_id ? ` by ${trial.rule_id}@${trial.rule_version}` : ""}, ${trial.state_before} → ${trial.state_after}`,
          "",
          trial.reply ?? "(says nothing)",
          ...trial.buttons.map((row) => row.map((label) => `[${label}]`).join(" ")),
        ].join("\n"),
      );
    });
}

function testText({ dialogues, faults, coverage }: Omit<Check, "diff">): string {
  const { rules, played, notPlayed, unreachable, shadowed, withoutExit } = coverage;
  return [
    `${dialogues - faults.length} of ${counted(dialogues, "dialogue goes", "dialogues go")} as written; they show ${played} of ${counted(rules, "rule")}.`,
    ...faults.map(({ dialogue, line, message }) => `  ${dialogue}, line ${line}: ${message}`),
    ...(notPlayed.length > 0 ? [`No example shows ${notPlayed.join(", ")}.`] : []),
    ...unreachable.map(({ rule, why }) => `${rule} can never speak: ${why}.`),
    ...shadowed.map(({ rule, keyword, by }) => `“${keyword}” of ${rule} is always answered by ${by}.`),
    ...withoutExit.map((state) => `Nothing but time leads out of the state ${state}.`),
  ].join("\n");
}

function diffText({ added, removed, changed, settings }: RuleDiff): string {
  const lines = [
    ...added.map((rule) => `+ ${rule}`),
    ...removed.map((rule) => `- ${rule}`),
    ...changed.flatMap(({ rule, fields }) => [`~ ${rule}`, ...fieldLines(fields)]),
    ...(Object.keys(settings).length > 0 ? ["~ bot", ...fieldLines(settings)] : []),
  ];
  return lines.length > 0 ? lines.join("\n") : "Nothing would change.";
}

function fieldLines(fields: RuleDiff["settings"]): string[] {
  return Object.entries(fields).map(
    ([field, { from, to }]) =>
      `    ${field}: ${shortened(valueText(from), 60)} → ${shortened(valueText(to), 60)}`,
  );
}

function replayText({ messages, chats, changed, gained, lost, changes }: Replay): string {
  const head = `${counted(messages, "message")} of ${counted(chats, "chat")}: ${changed} would be answered differently, ${gained} would find a rule, ${lost} would lose theirs.`;
  const said = ({ outcome, rule, reply }: Replay["changes"][number]["before"]) =>
    `${rule ?? outcome}: ${shortened(reply ?? "", 70)}`;
  return [
    head,
    ...changes
      .slice(0, 50)
      .flatMap(({ chat_id, at, text, before, after }) => [
        "",
        `${moment(at)} chat ${chat_id}: ${shortened(text, 80)}`,
        `  was  ${said(before)}`,
        `  now  ${said(after)}`,
      ]),
    ...(changes.length > 50 ? ["", `… and ${changes.length - 50} more; --json has all.`] : []),
  ].join("\n");
}

const releaseTable = table<Release>("No rules were ever in force.", {
  release: ({ release }) => String(release),
  when: ({ created_at }) => moment(created_at),
  by: ({ operator }) => operator,
  rules: ({ rules }) => String(Object.keys(rules).length),
  why: ({ based_on, reason }) =>
    [based_on === null ? "" : `release ${based_on} again`, reason ?? ""].filter(Boolean).join("; "),
});
