import { z } from "zod";
import type { Sql } from "../../kernel/db/index.ts";
import { fileRefused } from "../admin/problems.ts";
import type { CompileReply } from "../work/compile-reply.ts";
import { loadBot } from "../work/load-bot.ts";
import { botOfFile } from "./bot-of-file.ts";
import { coverageOf, isSound } from "./coverage.ts";
import { diffFiles, diffSchema } from "./diff.ts";
import type { RuleFile } from "./file-shape.ts";
import { playAll } from "./play.ts";
import { readFile } from "./read-file.ts";
import { currentFile } from "./releases.ts";
import { type Replay, replay } from "./replay.ts";

export const checkSchema = z.object({
  ok: z
    .boolean()
    .describe("Every example goes as written, and nothing is unreachable, shadowed or without exit"),
  dialogues: z.int(),
  faults: z.array(z.object({ dialogue: z.string(), line: z.int(), message: z.string() })),
  coverage: z.object({
    rules: z.int(),
    played: z.int().describe("Rules that an example shows"),
    notPlayed: z.array(z.string()),
    unreachable: z.array(z.object({ rule: z.string(), why: z.string() })),
    shadowed: z.array(z.object({ rule: z.string(), keyword: z.string(), by: z.string() })),
    withoutExit: z.array(z.string()),
  }),
  diff: diffSchema.describe("Against what is in force"),
});
export type Check = z.output<typeof checkSchema>;

/** A file's text, read; a fault in it is a problem that names the place. */
export function parsedFile(text: string): RuleFile {
  const read = readFile(text);
  if (!read.ok) throw fileRefused(read.faults);
  return read.file;
}

/** Plays a file's examples and looks for what its rules can never do. Needs no database. */
export function testFile(text: string, compile: CompileReply): Omit<Check, "diff"> {
  const file = parsedFile(text);
  const bot = botOfFile(file, { operatorsChatId: "operators" });
  const { faults, rules } = playAll(file.dialogues, bot, compile);
  const coverage = coverageOf(bot, rules);
  return {
    ok: faults.length === 0 && isSound(coverage),
    dialogues: file.dialogues.length,
    faults: [...faults],
    coverage: {
      rules: coverage.rules,
      played: coverage.played,
      notPlayed: [...coverage.notPlayed],
      unreachable: [...coverage.unreachable],
      shadowed: [...coverage.shadowed],
      withoutExit: [...coverage.withoutExit],
    },
  };
}

/** The same, beside what it would change. */
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

/** What a file would change for real past messages. */
export async function replayFile(text: string, workspaceId: string, last: number, sql: Sql): Promise<Replay> {
  const next = botOfFile(parsedFile(text));
  const current = await loadBot(sql, workspaceId);
  if (!current) throw new Error("a workspace without a bot has no past messages");
  return replay(sql, workspaceId, { current, next, last });
}
