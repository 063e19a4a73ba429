/** What a person is told who connects a platform. */
import type { Said } from "../said.ts";
import type { PlatformType } from "../settings/shape.ts";

/** If a field of the account, or the place (`target`), has no form that the platform knows. */
export const fieldFaults: Readonly<Record<PlatformType, Readonly<Record<string, Said>>>> = {
  wordpress: {
    url: { ru: "Сайт недоступен. Проверьте URL", en: "The site's address cannot be used: check the URL" },
    login: { ru: "Введите логин WordPress", en: "Give the WordPress login" },
    app_password: {
      ru: "Введите Application Password из WordPress",
      en: "Give the Application Password from WordPress: 24 letters and digits",
    },
    target: { ru: "Сайт недоступен. Проверьте URL", en: "The site's address cannot be used: check the URL" },
  },
  telegram: {
    token: {
      ru: "Токен невалиден. Получите токен у @BotFather",
      en: "The token is not valid: get one from @BotFather",
    },
    target: {
      ru: "Введите @channel, t.me/channel или числовой ID",
      en: "Give @channel, t.me/channel or the channel's number",
    },
  },
  vk: {
    token: {
      ru: "Токен VK не подходит. Создайте ключ доступа в настройках сообщества",
      en: "The VK key cannot be used: make an access key in the community's settings",
    },
    target: {
      ru: "Введите ссылку на сообщество VK или его номер",
      en: "Give the link or the number of a VK community",
    },
  },
  pinterest: {
    target: {
      ru: "Выберите доску: её номер или ссылка на неё",
      en: "Give the number or the link of a board",
    },
  },
};

export const accountFault: Said = {
  ru: "Авторизуйтесь на платформе ещё раз",
  en: "The account cannot be used: authorise it again",
};

/** If the platform was asked and said no; {target} is the place. */
const findings: Readonly<Record<string, Said>> = {
  ok: { ru: "Подключение работает", en: "The connection works" },
  token_refused: {
    ru: "Платформа не принимает доступ: он введён с ошибкой или отозван. Получите новый",
    en: "The platform does not take the account: it is mistyped or was revoked. Get a new one",
  },
  chat_not_found: {
    ru: "Не удалось найти {target}. Проверьте адрес",
    en: "{target} cannot be found: check the address",
  },
  not_a_member: {
    ru: "Бот не добавлен в {target}. Сделайте его администратором",
    en: "The bot is not in {target}: make it an administrator there",
  },
  not_administrator: {
    ru: "Бот не является администратором {target}.",
    en: "The bot is no administrator of {target}.",
  },
  may_not_post: {
    ru: "Нет права публиковать в {target}. Выдайте его и повторите",
    en: "There is no right to post to {target}: give it and try again",
  },
  unreachable: {
    ru: "Не удалось подключиться к {target}. Попробуйте ещё раз через несколько минут",
    en: "{target} does not answer: try again in a few minutes",
  },
};

const ofPlatform: Partial<Record<PlatformType, Readonly<Record<string, Said>>>> = {
  wordpress: {
    unreachable: {
      ru: "Сайт недоступен. Проверьте URL",
      en: "The site does not answer: check the URL",
    },
  },
  telegram: {
    token_refused: {
      ru: "Токен невалиден. Получите токен у @BotFather",
      en: "The token is not valid: get one from @BotFather",
    },
  },
};

/** The sentence for a finding; of findings that only this platform has, what it said itself. */
export function findingWords(
  platform: PlatformType,
  finding: string,
  { target, said }: { readonly target: string; readonly said?: string | undefined },
): Said {
  const known = ofPlatform[platform]?.[finding] ?? findings[finding];
  const because = said ? `: ${said}` : "";
  const words = known ?? {
    ru: `Не удалось подключиться к {target}${because}`,
    en: `{target} cannot be connected${because}`,
  };
  const filled = (text: string) => text.replaceAll("{target}", () => target);
  return { ru: filled(words.ru), en: filled(words.en) };
}

const things: Readonly<Record<PlatformType, readonly [what: string, there: string]>> = {
  wordpress: ["Этот сайт уже подключён", "на один сайт"],
  telegram: ["Этот канал уже подключён", "в один канал"],
  vk: ["Это сообщество уже подключено", "в одно сообщество"],
  pinterest: ["Эта доска уже подключена", "на одну доску"],
};

export function elsewhereWords(platform: PlatformType, project: string): Said {
  const [what, there] = things[platform];
  return {
    ru: `${what} к проекту «${project}». Публикации в оба проекта будут идти ${there}.`,
    en: `It is connected to the project “${project}” already: both would publish to the same place. Confirm with shared.`,
  };
}

export const takenWords: Said = {
  ru: "Канал уже подключен",
  en: "Somebody else has connected this channel",
};

export function tooManyWords(minutes: number): Said {
  return {
    ru: `Слишком много новых подключений (10/час). Следующая попытка через ${minutes} мин.`,
    en: `Too many new connections (10 an hour): try again in ${minutes} min.`,
  };
}
