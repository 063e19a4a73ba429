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
      ru: "Токен VK не подходит. Пришлите токен человека, который редактирует сообщество.",
      en: "The VK token cannot be used: give the token of a person who edits the community.",
    },
    target: {
      ru: "Введите ссылку на сообщество VK или его номер.",
      en: "Give the link or the number of a VK community.",
    },
  },
  pinterest: {
    target: {
      ru: "Выберите доску: пришлите её номер или ссылку на неё.",
      en: "Give the number or the link of a board.",
    },
  },
};

export const accountFault: Said = {
  ru: "Авторизуйтесь на платформе ещё раз.",
  en: "The account cannot be used: authorise it again.",
};

/** If the platform was asked and said no; {target} is the place. */
const findings: Readonly<Record<string, Said>> = {
  ok: { ru: "Подключение работает.", en: "The connection works." },
  token_refused: {
    ru: "Платформа не принимает доступ: он введён с ошибкой или отозван. Получите новый.",
    en: "The platform does not take the account: it is mistyped or was revoked. Get a new one.",
  },
  chat_not_found: {
    ru: "Не удалось найти {target}. Проверьте адрес.",
    en: "{target} cannot be found: check the address.",
  },
  not_a_member: {
    ru: "Бот не добавлен в {target}. Сделайте его администратором.",
    en: "The bot is not in {target}: make it an administrator there.",
  },
  not_administrator: {
    ru: "Бот не является администратором {target}.",
    en: "The bot is no administrator of {target}.",
  },
  may_not_post: {
    ru: "Нет права публиковать в {target}. Выдайте его и повторите.",
    en: "There is no right to post to {target}: give it and try again.",
  },
  unreachable: {
    ru: "Не удалось подключиться к {target}. Попробуйте ещё раз через несколько минут.",
    en: "{target} does not answer: try again in a few minutes.",
  },
};

const ofPlatform: Partial<Record<PlatformType, Readonly<Record<string, Said>>>> = {
  wordpress: {
    unreachable: {
      ru: "Сайт недоступен. Проверьте URL",
      en: "The site does not answer: check the URL",
    },
    token_refused: {
      ru: "Сайт не принимает логин или Application Password.",
      en: "The site does not take the login or the Application Password.",
    },
    passwords_off: {
      ru: "На сайте отключены Application Passwords. Включите их или обновите WordPress.",
      en: "Application Passwords are switched off on the site: switch them on or update WordPress.",
    },
    rest_off: {
      ru: "REST API сайта закрыт, или это не WordPress.",
      en: "The site's REST API is closed, or it is no WordPress.",
    },
    security_plugin: {
      ru: "Плагин безопасности или хостинг не пускает к REST API. Разрешите доступ и повторите.",
      en: "A security plugin or the hosting blocks the REST API: allow it and try again.",
    },
    site_moved: {
      ru: "Сайт переехал на другой адрес. Подключите его по новому адресу.",
      en: "The site has moved: connect it by its new address.",
    },
    site_in_maintenance: {
      ru: "Сайт на техническом обслуживании. Попробуйте чуть позже.",
      en: "The site is under maintenance: try a little later.",
    },
    may_not_post: {
      ru: "Этот пользователь не может публиковать записи. Нужна роль автора, редактора или администратора.",
      en: "This user may not publish: an author, an editor or an administrator is needed.",
    },
    may_not_upload: {
      ru: "Этот пользователь не может загружать файлы. Нужна роль автора, редактора или администратора.",
      en: "This user may not upload files: an author, an editor or an administrator is needed.",
    },
  },
  vk: {
    token_refused: {
      ru: "VK не принимает токен: он введён с ошибкой, истёк или отозван.",
      en: "VK does not take the token: it is mistyped, has expired or was revoked.",
    },
    vk_id_key: {
      ru: "Это ключ VK ID, с ним нельзя публиковать на стену. Нужен токен с правами wall, photos и groups.",
      en: "This is a VK ID key, which may not post: a token with the rights wall, photos and groups is needed.",
    },
    community_closed: {
      ru: "Сообщество удалено или заблокировано.",
      en: "The community was deleted or blocked.",
    },
    wall_off: {
      ru: "Стена сообщества отключена. Включите её в настройках сообщества и повторите.",
      en: "The community's wall is switched off: switch it on in its settings and try again.",
    },
    key_of_another_community: {
      ru: "Это ключ другого сообщества: он публикует только на своей стене.",
      en: "The key belongs to another community and posts on its own wall only.",
    },
    not_administrator: {
      ru: "Владелец токена не редактор этого сообщества.",
      en: "The token's owner does not edit this community.",
    },
    photos_need_person_key: {
      ru: "С ключом сообщества VK не даёт загружать картинки. Нужен токен человека, который редактирует сообщество.",
      en: "VK lets no community's key upload pictures: the token of a person who edits the community is needed.",
    },
    may_not_upload: {
      ru: "С этим токеном нельзя загружать картинки. Получите токен с правом photos.",
      en: "This token may not upload pictures: get one with the right photos.",
    },
  },
  pinterest: {
    account_restricted: {
      ru: "Pinterest ограничил этот аккаунт.",
      en: "Pinterest has restricted this account.",
    },
    may_not_look: {
      ru: "Доступа к доскам нет. Авторизуйтесь ещё раз и разрешите всё, что просит Pinterest.",
      en: "There is no access to the boards: authorise again and allow everything that Pinterest asks for.",
    },
    board_of_another: {
      ru: "Эта доска принадлежит другому аккаунту Pinterest.",
      en: "This board belongs to another Pinterest account.",
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
    en: `It is connected to the project “${project}” already: both would publish to the same place.`,
  };
}

export const takenWords: Said = {
  ru: "Канал уже подключён",
  en: "Somebody else has connected this channel",
};

export function tooManyWords(minutes: number): Said {
  return {
    ru: `Слишком много новых подключений (10/час). Следующая попытка через ${minutes} мин.`,
    en: `Too many new connections (10 an hour): try again in ${minutes} min.`,
  };
}
