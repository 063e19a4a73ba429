import type { Said } from "../said.ts";
import type { Missing, MissingReason, SourceName } from "./result.ts";

/** What is missing without a source. */
const parts: Record<SourceName, { readonly name: string; readonly ru: string; readonly en: string }> = {
  dataforseo: { name: "DataForSEO", ru: "Данные о спросе в Google", en: "Google search volumes" },
  serper: { name: "Serper", ru: "Выдача Google", en: "Google search results" },
  firecrawl: { name: "Firecrawl", ru: "Чтение страниц", en: "Reading of pages" },
  pagespeed: { name: "PageSpeed", ru: "Проверка скорости сайта", en: "The site speed check" },
  yandex: { name: "Yandex Search API", ru: "Данные Яндекса", en: "Data of Yandex" },
};

const settings: Record<SourceName, string> = {
  dataforseo: "DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD",
  serper: "SERPER_API_KEY",
  firecrawl: "FIRECRAWL_API_KEY",
  pagespeed: "PAGESPEED_API_KEY",
  yandex: "YANDEX_SEARCH_API_KEY, YANDEX_SEARCH_FOLDER_ID",
};

const sentences: Record<MissingReason, (source: SourceName) => Said> = {
  off: (source) => ({
    ru: `${parts[source].ru}: источник не подключён. Задайте ${settings[source]}.`,
    en: `${parts[source].en}: the source is not connected. Set ${settings[source]}.`,
  }),
  unavailable: (source) => ({
    ru: `${parts[source].ru}: сервис ${parts[source].name} сейчас не отвечает. Попробуйте позже.`,
    en: `${parts[source].en}: ${parts[source].name} does not answer now. Try again later.`,
  }),
  refused: (source) => ({
    ru: `${parts[source].ru}: сервис ${parts[source].name} отклонил запрос. Проверьте адрес или фразу, а администратору — ключ.`,
    en: `${parts[source].en}: ${parts[source].name} refused the request. Check the address or phrase; an operator checks the key.`,
  }),
  no_data: (source) => ({
    ru: `${parts[source].ru}: ничего не найдено. Попробуйте сформулировать иначе.`,
    en: `${parts[source].en}: nothing was found. Try other words.`,
  }),
  quota: (source) => ({
    ru: `${parts[source].ru}: лимит ${parts[source].name} исчерпан. Попробуйте позже.`,
    en: `${parts[source].en}: the quota of ${parts[source].name} is used up. Try again later.`,
  }),
};

export function missing(source: SourceName, reason: MissingReason, detail: string): Missing {
  return { ok: false, source, reason, message: sentences[reason](source), detail };
}

/** An address that is not sent to any provider. */
export function refusedAddress(source: SourceName, detail: string): Missing {
  return {
    ...missing(source, "refused", detail),
    message: {
      ru: "Этот адрес нельзя открыть: нужен общедоступный сайт, например https://example.ru.",
      en: "This address cannot be opened: a public site is needed, such as https://example.com.",
    },
  };
}
