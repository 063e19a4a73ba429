import type { Said } from "../said.ts";
import type { Missing, MissingReason, SourceFault, SourceName } from "./result.ts";

/** What is missing without a source. */
const parts: Record<SourceName, { readonly name: string; readonly ru: string; readonly en: string }> = {
  dataforseo: { name: "DataForSEO", ru: "Данные о спросе в Google", en: "Google search volumes" },
  serper: { name: "Serper", ru: "Выдача Google", en: "Google search results" },
  firecrawl: { name: "Firecrawl", ru: "Чтение страниц", en: "Reading of pages" },
  pagespeed: { name: "PageSpeed", ru: "Проверка скорости сайта", en: "The site speed check" },
  yandex: { name: "Yandex Search API", ru: "Данные Яндекса", en: "Data of Yandex" },
  searchconsole: { name: "Search Console", ru: "Переходы из Google", en: "Visits from Google" },
  webmaster: { name: "Яндекс Вебмастер", ru: "Переходы из Яндекса", en: "Visits from Yandex" },
};

const settings: Record<SourceName, string> = {
  dataforseo: "DATAFORSEO_LOGIN, DATAFORSEO_PASSWORD",
  serper: "SERPER_API_KEY",
  firecrawl: "FIRECRAWL_API_KEY",
  pagespeed: "PAGESPEED_API_KEY",
  yandex: "YANDEX_SEARCH_API_KEY, YANDEX_SEARCH_FOLDER_ID",
  searchconsole: "GOOGLE_SEARCH_CONSOLE_KEY",
  webmaster: "YANDEX_WEBMASTER_TOKEN",
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

/** Truer than the reason's sentence, if it is known what to blame. */
const faults: Record<SourceFault, (source: SourceName) => Said> = {
  key: (source) => ({
    ru: `${parts[source].ru}: сервис ${parts[source].name} не принимает наш ключ. Это на нашей стороне: администратор проверяет ${settings[source]}.`,
    en: `${parts[source].en}: ${parts[source].name} does not take our key. This is on our side: an operator checks ${settings[source]}.`,
  }),
  site_down: (source) => ({
    ru: `${parts[source].ru}: сайт сейчас не отвечает. Проверьте, открывается ли он в браузере, и попробуйте позже.`,
    en: `${parts[source].en}: the site does not answer now. Check whether it opens in a browser, and try again later.`,
  }),
  no_site: (source) => ({
    ru: `${parts[source].ru}: сайта с таким именем нет. Проверьте адрес.`,
    en: `${parts[source].en}: there is no site of this name. Check the address.`,
  }),
};

export function missing(
  source: SourceName,
  reason: MissingReason,
  detail: string,
  fault?: SourceFault,
): Missing {
  const message = fault ? faults[fault](source) : sentences[reason](source);
  return { ok: false, source, reason, message, detail, ...(fault && { fault }) };
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
