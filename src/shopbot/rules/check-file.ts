import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { fileRefused } from "../admin/bot-problems.ts";
import type { CompileReply } from "../work/compile-reply.ts";
import { loadBot } from "../work/load-bot.ts";
import { botOfFile } from "./bot-of-file.ts";
import { diffFiles, diffSchema } from "./diff-files.ts";
import { playAll } from "./play-dialogues.ts";
import { readFile } from "./read-rule-file.ts";
import { currentFile } from "./releases.ts";
import { type Replay, replay } from "./replay-messages.ts";
import { coverageOf, coverageSchema, isSound } from "./rule-coverage.ts";
import type { RuleFile } from "./rule-file-schema.ts";

export const checkSchema = z.object({
  ok: z.boolean().describe("Every example succeeds, and nothing is unreachable, shadowed or without exit"),
  dialogues: z.int(),
  faults: z.array(z.object({ dialogue: z.string(), line: z.int(), message: z.string() })),
  coverage: coverageSchema,
  diff: diffSchema.describe("Differences to the rules in force"),
});
export type Check = z.output<typeof checkSchema>;

/** Parses a rule file, or throws a problem with the place of each error. */
export function parsedFile(text: string): RuleFile {
  const read = readFile(text);
  if (!read.ok) throw fileRefused(read.errors);
  return read.file;
}

/** Runs a file's examples and finds rules that never apply. Needs no database. */
export function testFile(text: string, compile: CompileReply): Omit<Check, "diff"> {
  const file = parsedFile(text);
  const bot = botOfFile(file, { operatorsChatId: "operators" });
  const { faults, rules } = playAll(file.dialogues, bot, compile);
  const coverage = coverageOf(bot, rules);
  return {
    ok: faults.length === 0 && isSound(coverage),
    dialogues: file.dialogues.length,
    faults: [...faults],
    coverage,
  };
}

/** The same with the differences to the rules in force. */
export async function checkFile(
  text: string,
  workspaceId: string,
  { sql, compile }: { sql: Sql; compile: CompileReply },
): Promise<Check> {
  const tested = testFile(text, compile);
  const current = await currentFile(sql, workspaceId);
  return {
    ...tested,
    diff: diffFiles(current === undefined ? undefined : parsedFile(current), parsedFile(text)),
  };
}

/** How a file would answer real past messages. */
export async function replayFile(text: string, workspaceId: string, last: number, sql: Sql): Promise<Replay> {
  const next = botOfFile(parsedFile(text));
  const current = await loadBot(sql, workspaceId);
  if (!current) throw new Error("a workspace without a bot has no past messages");
  return replay(sql, workspaceId, { current, next, last });
}
