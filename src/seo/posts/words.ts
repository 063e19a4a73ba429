import type { Warning } from "../articles/shape.ts";
import { tokensInRussian } from "../orders/token-words.ts";
import type { Said } from "../said.ts";
import { platformNames } from "../settings/platform-names.ts";
import type { PostPlatform } from "./shape.ts";

/** What people read about posts; where the document has words, they are its words. */

const warnings = {
  near_duplicate: {
    ru: "Пост похож на ранее опубликованный. Рекомендуем переформулировать.",
    en: "The post is like one that was published before. Rewording it is advised.",
  },
  phrase_not_first: {
    ru: "В первом предложении нет ключевой фразы: перечитайте пост.",
    en: "The first sentence lacks the main phrase: read the post again.",
  },
  not_regenerated: {
    ru: "Не удалось написать заново. Прежний пост сохранён, за эту попытку ничего не списано.",
    en: "It could not be written anew. The post before it is kept, and this attempt costs nothing.",
  },
  picture_kept: {
    ru: "Новое изображение не получилось: осталось прежнее, за новое ничего не списано.",
    en: "No new picture could be drawn: the one before it is kept, and nothing is charged for another.",
  },
  picture_gone: {
    ru: "Изображение исходного поста уже удалено: пост без него.",
    en: "The picture of the published post was deleted already: this one has none.",
  },
} as const satisfies Readonly<Record<string, Said>>;

export const warning = (code: keyof typeof warnings): Warning => ({ code, message: warnings[code] });

export const noPictures = (tokens: number): Warning => ({
  code: "pictures_failed",
  message: {
    ru: `Пост без изображений (генерация не удалась). Возвращено ${tokensInRussian(tokens)}.`,
    en: `The post has no pictures (drawing failed). ${tokens} tokens were returned.`,
  },
});

/** Why a post was not made; its tokens were returned. */
export const failures = {
  text_failed: {
    ru: "Генерация поста не удалась. Токены возвращены.",
    en: "The post could not be written. The tokens were returned.",
  },
  no_picture: {
    ru: "Пину нужно изображение, а нарисовать его не удалось. Токены возвращены. Попробуйте ещё раз.",
    en: "A Pin needs a picture, and none could be drawn. The tokens were returned. Try again.",
  },
  deleted: {
    ru: "Проект, категория или подключение удалены, пока пост ждал очереди. Токены возвращены.",
    en: "The project, the category or the connection was deleted meanwhile. The tokens were returned.",
  },
  not_valid: {
    ru: "Сгенерированный контент не прошёл проверку качества. Токены возвращены.",
    en: "The text did not pass the quality check. The tokens were returned.",
  },
} as const satisfies Readonly<Record<string, Said>>;

/** Its own tokens only: the published post stays as it is. */
export const notAdapted = (platform: PostPlatform): Said => ({
  ru: `Не удалось адаптировать для ${platformNames[platform]}. Токены возвращены.`,
  en: `It could not be adapted for ${platformNames[platform]}. The tokens were returned.`,
});

export const places = {
  none: {
    ru: "Подключите соцсеть для публикации",
    en: "Connect a social network to publish.",
  },
  other: {
    ru: "Пост можно опубликовать в Telegram, VK или Pinterest этого же проекта.",
    en: "A post can be published in Telegram, VK or Pinterest of the same project.",
  },
  disconnected: {
    ru: "Подключение отключено. Подключите площадку заново.",
    en: "The place is disconnected: connect it again.",
  },
  deleted: {
    ru: "Подключение удалено. Отмените пост: токены вернутся.",
    en: "The connection was deleted. Cancel the post: its tokens will be returned.",
  },
} as const satisfies Readonly<Record<string, Said>>;

export const sources = {
  not_published: {
    ru: "Кросс-пост делают из опубликованного поста. Сначала опубликуйте его.",
    en: "Only a published post can be adapted: publish it first.",
  },
  no_post: {
    ru: "Кросс-пост делают из поста, а это другая публикация.",
    en: "Only a post can be adapted; this publication is something else.",
  },
  text_gone: {
    ru: "Текст этого поста больше не хранится. Напишите новый пост.",
    en: "The text of this post is not kept any more: write a new one.",
  },
  same_place: {
    ru: "Этот пост уже опубликован там. Выберите другое подключение.",
    en: "This post is published there already: choose another connection.",
  },
  no_picture: {
    ru: "Пину нужно изображение, а у исходного поста его нет. Выберите другую площадку.",
    en: "A Pin needs a picture, and the published post has none: choose another platform.",
  },
} as const satisfies Readonly<Record<string, Said>>;

/** Why nothing can be decided about a post any more, or not yet. */
export const endings = {
  queued: { ru: "Пост ещё пишется.", en: "The post is still being written." },
  running: { ru: "Пост ещё пишется.", en: "The post is still being written." },
  publishing: { ru: "Уже публикуется", en: "It is being published already" },
  done: { ru: "Пост уже опубликован.", en: "The post was published already." },
  cancelled: {
    ru: "Пост отменён. Сгенерируйте пост заново.",
    en: "The post was cancelled. Generate another one.",
  },
  expired: {
    ru: "Сессия истекла. Сгенерируйте пост заново.",
    en: "The time to decide is over. Generate the post again.",
  },
} as const satisfies Readonly<Record<string, Said>>;
