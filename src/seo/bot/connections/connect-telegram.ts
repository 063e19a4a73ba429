/** Connects a Telegram channel: the channel, and the token of a bot that is its administrator. */
import { z } from "zod";
import type { AskState, WorkState } from "../../../dialogs/index.ts";
import { ConnectionRefused, targetIn } from "../../connections/try-account.ts";
import { fieldFaults } from "../../connections/words.ts";
import type { BotServices } from "../services.ts";
import { both, type Texts, texts } from "../texts/index.ts";
import { attempted, saidOf } from "../told.ts";
import { type Connecting, connectNow, nothingSaid, said, seal, targetsOf, unseal } from "./connecting.ts";

const answers = z.object({
  /** As it is stored: `@name` or its number. */
  channel: z.string(),
  /** Sealed. */
  token: z.string(),
  shared: z.boolean(),
  said,
});
export const telegramAnswers = z.object({ telegram: answers });
export type TelegramAnswers = z.infer<typeof telegramAnswers>;
export const noTelegram: TelegramAnswers = {
  telegram: { channel: "", token: "", shared: false, said: nothingSaid },
};

type Role = "channel" | "token" | "checking" | "elsewhere" | "failed";

export interface TelegramConnecting<Data extends TelegramAnswers, Name extends string>
  extends Connecting<Data, Name, Role> {
  /** What is asked, if not what the flow of its own asks. */
  readonly ask?: (t: Texts) => Readonly<Record<"channel" | "token", string>>;
}

/** As Telegram makes them: the bot's number, a colon, 35 characters. */
const tokenShape = /^\d{3,16}:[\w-]{30,60}$/;

/**
 * States for the flow to place under its own names: `channel` → `token` → `checking`; `failed` tells that the bot is no
 * administrator there, or whatever else is wrong with the channel.
 */
export function connectTelegram<Data extends TelegramAnswers, Name extends string>(
  given: TelegramConnecting<Data, Name>,
) {
  const use: TelegramConnecting<TelegramAnswers, Name> = given;
  const { names, ask = (t) => t.connections.telegram, beside = {} } = use;

  const channel: Answer<Name> = {
    ask: both((t) => ask(t).channel),
    text: {
      to: names.token,
      async take({ sql, data, language }, typed) {
        const read = await attempted(() => targetIn(sql, "telegram", typed.trim().slice(0, 500)));
        return read.ok
          ? { data: { telegram: { ...data.telegram, channel: read.value, shared: false } } }
          : { refuse: saidOf(read.problem, language) };
      },
    },
  };

  const token: Answer<Name> = {
    ask: both((t) => ask(t).token),
    links: [
      { label: both((t) => t.connections.telegram.openBotFather), url: () => "https://t.me/BotFather" },
    ],
    text: {
      to: names.checking,
      secret: true,
      take(turn, typed) {
        const secret = typed.trim();
        return tokenShape.test(secret)
          ? { data: { telegram: { ...turn.data.telegram, token: seal(turn, secret) } } }
          : { refuse: badToken[turn.language] };
      },
    },
  };

  const checking: WorkState<TelegramAnswers, Name, BotServices> = {
    ask: both((t) => t.connections.checking),
    to: targetsOf(use.to, names.token, names.elsewhere, names.failed),
    async work(work) {
      const { telegram } = work.data;
      const place = { projectId: use.projectId(work.data), connectionId: use.connectionId?.(work.data) };
      const made = await connectNow(work, place, {
        ...{ platform_type: "telegram", target: telegram.channel, shared: telegram.shared },
        fields: { token: unseal(work, telegram.token) },
      });
      if (made.ok) {
        const next = await use.connected(work, made.value);
        return next.refuse === undefined ? { ...next, data: { ...next.data, ...noTelegram } } : next;
      }
      const { problem } = made;
      if (problem instanceof ConnectionRefused && problem.finding === "token_refused")
        return { to: names.token, notice: badToken[work.language] };
      const to = problem.code === "connected_elsewhere" ? names.elsewhere : names.failed;
      return { to, data: { telegram: { ...telegram, said: problem.said } } };
    },
    failed: { to: names.failed, text: both((t) => t.common.brokenFlow) },
  };

  const other: NonNullable<Answer<Name>["buttons"]>[string] = {
    label: both((t) => t.connections.telegram.otherChannel),
    to: names.channel,
  };
  const elsewhere: Answer<Name> = {
    ask: ({ telegram }, language) => texts[language].connections.elsewhere(telegram.said[language]),
    noBack: true,
    buttons: {
      shared: {
        label: both((t) => t.connections.allTheSame),
        to: names.checking,
        style: "success",
        press: ({ data }) => ({ data: { telegram: { ...data.telegram, shared: true } } }),
      },
      other,
    },
  };
  const failed: Answer<Name> = {
    ask: ({ telegram }, language) => texts[language].connections.telegram.failed(telegram.said[language]),
    noBack: true,
    buttons: {
      again: { label: both((t) => t.connections.telegram.checkAgain), to: names.checking, style: "primary" },
      other,
      ...beside,
    },
  };
  return { channel, token, checking, elsewhere, failed };
}

type Answer<Name extends string> = AskState<TelegramAnswers, Name, BotServices>;

const badToken = fieldFaults.telegram.token ?? nothingSaid;
