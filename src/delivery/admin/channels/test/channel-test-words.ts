import type { CommonFinding, PlatformWords } from "../../../../platforms/index.ts";
import type { Finding, Step } from "./test-channel.ts";

/** The finding and what to do about it; `{name}` is replaced by a fact. */
export interface Words {
  readonly text: string;
  readonly advice?: string;
}

export const languages = ["en", "ru"] as const;
export type Language = (typeof languages)[number];

interface Sentences {
  readonly fine: Record<Step, string>;
  readonly wrong: Record<Exclude<CommonFinding, "ok"> | "no_credential", Required<Words>>;
  readonly ready: string;
  readonly notReady: string;
  readonly resting: string;
}

const sentences: Record<Language, Sentences> = {
  en: {
    fine: {
      token: "The token is good: it belongs to the bot {bot}.",
      chat: "The chat is there: {chat}.",
      member: "The bot can write to this person.",
      rights: "The bot may post here.",
    },
    wrong: {
      no_credential: {
        text: "No token is bound to the channel's credential {auth_ref}.",
        advice: "Get a token from {tokens}, then: molva credential set {platform} {auth_ref}",
      },
      token_refused: {
        text: "The token is not accepted: it is mistyped or was revoked.",
        advice: "Get the current one from {tokens}, then: molva credential set {platform} {auth_ref}",
      },
      chat_not_found: {
        text: "The bot does not see the chat {target}.",
        advice: "Check target_id, add the bot to the chat, then: molva channel set {channel} target_id=…",
      },
      not_a_member: {
        text: "The bot is not in the chat.",
        advice: "Add the bot to the chat as an administrator; a person has to start the bot first.",
      },
      blocked: {
        text: "The person has stopped the bot.",
        advice: "Nothing can be sent until the person starts the bot again; disable the channel meanwhile.",
      },
      not_administrator: {
        text: "The bot is in the channel, but is no administrator there.",
        advice: "Make it an administrator with the right to post messages.",
      },
      may_not_post: {
        text: "The bot may not post: the right was not given or was taken away.",
        advice: "Give the bot the right to post messages in the chat's settings.",
      },
      moved: {
        text: "The group has become a supergroup and has another number.",
        advice: "The next post moves the channel by itself; or set the new number as target_id.",
      },
      same_chat: {
        text: "It is the same chat as the channel {other}: each post would appear there twice.",
        advice: "Delete one of the two; if both are wanted: molva channel set {channel} allow_duplicate=true",
      },
      cannot_be_checked: {
        text: "A dialog with a person cannot be looked at from outside.",
        advice: "Send a post to see whether it arrives; the person has to have started the bot.",
      },
      unreachable: {
        text: "The messenger did not answer: {said}",
        advice: "Try again in a while. If it stays so, look at the address, MOLVA_EXTRA_CA and MOLVA_PROXY.",
      },
    },
    ready: "The channel can post.",
    notReady: "The channel cannot post.",
    resting: "The bot may post, but the channel is {state}: molva channel resume {channel}",
  },
  ru: {
    fine: {
      token: "Токен действует: это бот {bot}.",
      chat: "Чат найден: {chat}.",
      member: "Бот может писать этому человеку.",
      rights: "Бот может здесь публиковать.",
    },
    wrong: {
      no_credential: {
        text: "К имени доступа {auth_ref} не привязан токен.",
        advice: "Возьмите токен в {tokens}, затем: molva credential set {platform} {auth_ref}",
      },
      token_refused: {
        text: "Токен не принят: в нём опечатка или он отозван.",
        advice: "Возьмите действующий в {tokens}, затем: molva credential set {platform} {auth_ref}",
      },
      chat_not_found: {
        text: "Бот не видит чат {target}.",
        advice: "Проверьте target_id, добавьте бота в чат, затем: molva channel set {channel} target_id=…",
      },
      not_a_member: {
        text: "Бота нет в чате.",
        advice: "Добавьте бота в чат администратором; человек должен сначала сам запустить бота.",
      },
      blocked: {
        text: "Человек остановил бота.",
        advice: "Отправить ничего нельзя, пока он не запустит бота снова; канал пока можно выключить.",
      },
      not_administrator: {
        text: "Бот есть в канале, но он не администратор.",
        advice: "Сделайте его администратором с правом публиковать сообщения.",
      },
      may_not_post: {
        text: "Боту нельзя публиковать: право не выдано или отобрано.",
        advice: "Выдайте боту право публиковать сообщения в настройках чата.",
      },
      moved: {
        text: "Группа стала супергруппой, и номер у неё теперь другой.",
        advice: "Канал перейдёт сам со следующей публикацией; можно и указать новый номер в target_id.",
      },
      same_chat: {
        text: "Это тот же чат, что у канала {other}: каждая публикация появится там дважды.",
        advice: "Удалите один из двух; если нужны оба: molva channel set {channel} allow_duplicate=true",
      },
      cannot_be_checked: {
        text: "Диалог с человеком снаружи не виден.",
        advice: "Отправьте публикацию и посмотрите, дошла ли; человек должен был запустить бота.",
      },
      unreachable: {
        text: "Мессенджер не ответил: {said}",
        advice: "Повторите позже. Если не пройдёт, проверьте адрес, MOLVA_EXTRA_CA и MOLVA_PROXY.",
      },
    },
    ready: "Канал может публиковать.",
    notReady: "Канал не может публиковать.",
    resting: "Боту можно публиковать, но канал сейчас {state}: molva channel resume {channel}",
  },
};

const states: Record<Language, Record<"paused" | "disabled", string>> = {
  en: { paused: "paused", disabled: "disabled" },
  ru: { paused: "на паузе", disabled: "выключен" },
};

export type Facts = Readonly<Record<string, string>>;

export function wordsFor(
  language: Language,
  step: Step,
  finding: Finding,
  own: PlatformWords,
  facts: Facts,
): Words {
  const { fine, wrong } = sentences[language];
  const known = { ...facts, tokens: own.credentials };
  if (finding === "ok") return { text: filled(own.fine?.[step] ?? fine[step], known) };
  const common: Readonly<Record<string, Required<Words>>> = wrong;
  const words = own.wrong?.[finding] ?? common[finding];
  if (!words) throw new Error(`there are no words for the finding ${finding}`);
  return { text: filled(words.text, known), advice: filled(words.advice, known) };
}

export function summaryFor(
  language: Language,
  ok: boolean,
  state: "active" | "paused" | "disabled",
  facts: Facts,
): string {
  const { ready, notReady, resting } = sentences[language];
  if (!ok) return notReady;
  return state === "active" ? ready : filled(resting, { ...facts, state: states[language][state] });
}

function filled(sentence: string, facts: Facts): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => facts[name] ?? whole);
}
