import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { paths } from "../../kernel/paths/index.ts";
import { createPlatforms } from "../../platforms/index.ts";
import { createReplyCompiler } from "../work/compile-reply.ts";
import { botOfFile } from "./bot-of-file.ts";
import { playAll } from "./play-dialogues.ts";
import { readFile } from "./read-rule-file.ts";
import { coverageOf } from "./rule-coverage.ts";

const compile = createReplyCompiler(
  createPlatforms({ TELEGRAM_API_ROOT: "http://127.0.0.1:1", MAX_API_ROOT: "http://127.0.0.1:1" }),
);

// covers shopbot: One multi-step scenario: returns
it("the seed's examples go as written, show every rule, and leave nothing unreachable, shadowed or without exit", () => {
  const read = readFile(readFileSync(paths.shopBot, "utf8"));
  if (!read.ok) throw new Error(JSON.stringify(read.errors));
  const bot = botOfFile(read.file, { operatorsChatId: "operators" });
  const played = playAll(read.file.dialogues, bot, compile);
  expect(played.faults).toEqual([]);
  expect(coverageOf(bot, played.rules)).toEqual({
    unreachable: [],
    shadowed: [],
    withoutExit: [],
    notPlayed: [],
    rules: 14,
    played: 14,
  });
});
