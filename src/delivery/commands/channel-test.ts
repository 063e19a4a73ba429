import { type Command, InvalidArgumentError } from "commander";
import {
  type Common,
  exitCodes,
  print,
  reading,
  type Terminal,
  UserError,
  withCore,
} from "../../terminal/index.ts";
import { type ChannelTest, languages, testChannel } from "../admin/index.ts";
import { deliveryParts } from "../parts.ts";
import { channelCalled, channelName, channelNaming } from "./called.ts";

type Language = (typeof languages)[number];

interface TestOptions extends Common {
  readonly lang?: Language;
}

/** `molva channel test`: says whether the bot may post. */
export function addChannelTest(parent: Command, terminal: Terminal): void {
  reading(parent, "test", "ask the messenger whether the bot may post; nothing is posted")
    .argument("<channel>", channelNaming)
    .option("--lang <language>", "en or ru; by LC_ALL and LANG unless given", languageOf)
    .action(async (typed: string, options: TestOptions) => {
      const language = options.lang ?? usualLanguage(terminal);
      const { tested, channel } = await test(terminal, options, typed);
      print(terminal, options, tested, () => told(tested, channel, language));
      if (!tested.ok) throw new UserError(tested.summary[language], exitCodes.failed);
    });
}

function test(
  terminal: Terminal,
  options: Common,
  typed: string,
): Promise<{ tested: ChannelTest; channel: string }> {
  return withCore(terminal, options, async (core, workspaceId) => {
    const deps = deliveryParts(core).messengers;
    const { channel_id } = await channelCalled(deps, workspaceId, typed);
    const tested = await testChannel(deps, workspaceId, channel_id);
    return { tested, channel: channelName(await channelCalled(deps, workspaceId, channel_id)) };
  });
}

function told(tested: ChannelTest, channel: string, language: Language): string {
  const lines = tested.steps.flatMap((step) => {
    const { text, advice } = step[language];
    return [`${step.finding === "ok" ? "✓" : "✗"} ${text}`, ...(advice ? [`  ${advice}`] : [])];
  });
  return [channel, ...lines, ...(tested.ok ? [tested.summary[language]] : [])].join("\n");
}

function languageOf(typed: string): Language {
  const found = languages.find((language) => language === typed);
  if (!found) throw new InvalidArgumentError(`Give ${languages.join(" or ")}.`);
  return found;
}

function usualLanguage({ environment }: Terminal): Language {
  return /^ru/i.test(environment.LC_ALL || environment.LANG || "") ? "ru" : "en";
}
