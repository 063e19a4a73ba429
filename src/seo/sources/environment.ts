import { z } from "zod";
import { root, settingGroup, wholeNumber, word } from "../../kernel/config/index.ts";
import { keyFromPem } from "./searchconsole/access-token.ts";

const group = "SEO Master: sources of facts";

/** Google's code for Russia, which DataForSEO does not serve. */
const russia = 2643;

/** The file that Google Cloud makes for a key of a service account. */
const serviceAccountKey = z.string().transform((text, context) => {
  try {
    const { client_email, private_key } = keyFile.parse(JSON.parse(text));
    return { email: client_email, key: keyFromPem(private_key) };
  } catch {
    // Whatever is wrong with it, its words may hold a part of the key.
    context.addIssue("must be the JSON file of a service account's key, with client_email and private_key");
    return z.NEVER;
  }
});
const keyFile = z.object({ client_email: z.string().min(3), private_key: z.string().min(1) });

/** Every source is optional: without its key the part that needs it is off and says so. */
export const sourceSettings = settingGroup(
  {
    DATAFORSEO_LOGIN: {
      group,
      about: {
        en: "Login at DataForSEO, for phrases and search volumes of Google. Without it phrases come without volumes, except from the twin while it runs.",
        ru: "Логин DataForSEO: фразы и объёмы поиска Google. Без него фразы подбираются без объёмов, если не запущен двойник.",
      },
      schema: word,
      example: "you@example.com",
    },
    DATAFORSEO_PASSWORD: {
      group,
      about: {
        en: "API password of DataForSEO (API access in its cabinet, not the password of the account); required with DATAFORSEO_LOGIN.",
        ru: "API-пароль DataForSEO (раздел API access, не пароль кабинета); нужен вместе с DATAFORSEO_LOGIN.",
      },
      schema: word,
      secret: true,
    },
    DATAFORSEO_API_ROOT: {
      group,
      about: {
        en: "DataForSEO's API; https://sandbox.dataforseo.com/v3 answers with invented data for free. The twin is used while it runs and no login is set.",
        ru: "API DataForSEO; https://sandbox.dataforseo.com/v3 бесплатно отвечает выдуманными данными. Пока запущен двойник и логин не задан, используется двойник.",
      },
      schema: root,
      fallback: "https://api.dataforseo.com/v3",
    },
    DATAFORSEO_LOCATION: {
      group,
      about: {
        en: "Country of Google's search volumes: 2804 Ukraine, 2398 Kazakhstan. DataForSEO does not serve Russia (2643).",
        ru: "Страна, для которой берутся объёмы поиска Google: 2804 Украина, 2398 Казахстан. Россию (2643) DataForSEO не обслуживает.",
      },
      schema: wholeNumber(1, 9_999_999).refine(
        (code) => code !== russia,
        "cannot be 2643: DataForSEO has no data of Google for Russia; use 2804 (Ukraine) or 2398 (Kazakhstan) with Russian phrases",
      ),
      fallback: 2804,
    },
    SERPER_API_KEY: {
      group,
      about: {
        en: "Key of Serper, for search results of Google. Without it articles are written without them, except with the twin while it runs.",
        ru: "Ключ Serper: выдача Google. Без него статьи пишутся без данных выдачи, если не запущен двойник.",
      },
      schema: word,
      secret: true,
    },
    SERPER_API_ROOT: {
      group,
      about: {
        en: "Serper's API; the twin is used while it runs and no key is set.",
        ru: "API Serper; пока запущен двойник и ключ не задан, используется двойник.",
      },
      schema: root,
      fallback: "https://google.serper.dev",
    },
    FIRECRAWL_API_KEY: {
      group,
      about: {
        en: "Key of Firecrawl, which reads pages, site maps and brand colours. Without it competitors and links are left out, except with the twin while it runs.",
        ru: "Ключ Firecrawl: чтение страниц, карты сайта и фирменных цветов. Без него анализ конкурентов и ссылки недоступны, если не запущен двойник.",
      },
      schema: word,
      secret: true,
      example: "fc-…",
    },
    FIRECRAWL_API_ROOT: {
      group,
      about: {
        en: "Firecrawl's API, or your own Firecrawl; the twin is used while it runs and no key is set.",
        ru: "API Firecrawl или адрес собственного Firecrawl; пока запущен двойник и ключ не задан, используется двойник.",
      },
      schema: root,
      fallback: "https://api.firecrawl.dev/v2",
    },
    PAGESPEED_API_KEY: {
      group,
      about: {
        en: "Key of Google PageSpeed Insights, free for 25,000 checks a day. Without it sites are not checked, except by the twin while it runs.",
        ru: "Ключ Google PageSpeed Insights, бесплатно до 25 000 проверок в день. Без него аудит сайта недоступен, если не запущен двойник.",
      },
      schema: word,
      secret: true,
    },
    PAGESPEED_API_ROOT: {
      group,
      about: {
        en: "PageSpeed's API; the twin is used while it runs and no key is set.",
        ru: "API PageSpeed; пока запущен двойник и ключ не задан, используется двойник.",
      },
      schema: root,
      fallback: "https://www.googleapis.com/pagespeedonline/v5",
    },
    YANDEX_SEARCH_API_KEY: {
      group,
      about: {
        en: "API key of a service account of Yandex Cloud with the role search-api.webSearch.user, for Wordstat and search results of Yandex.",
        ru: "API-ключ сервисного аккаунта Yandex Cloud с ролью search-api.webSearch.user: Wordstat и выдача Яндекса.",
      },
      schema: word,
      secret: true,
    },
    YANDEX_SEARCH_FOLDER_ID: {
      group,
      about: {
        en: "Folder of that account in Yandex Cloud; required with YANDEX_SEARCH_API_KEY.",
        ru: "Каталог этого аккаунта в Yandex Cloud; нужен вместе с YANDEX_SEARCH_API_KEY.",
      },
      schema: z.string().regex(/^[a-z0-9]{1,50}$/, "must be an id such as b1g8skpblkos03malf3s"),
      example: "b1g8skpblkos03malf3s",
    },
    YANDEX_SEARCH_API_ROOT: {
      group,
      about: {
        en: "Yandex Search API; the twin is used while it runs and no key is set.",
        ru: "Yandex Search API; пока запущен двойник и ключ не задан, используется двойник.",
      },
      schema: root,
      fallback: "https://searchapi.api.cloud.yandex.net",
    },
    YANDEX_OPERATION_API_ROOT: {
      group,
      about: {
        en: "Where Yandex Cloud tells the results of deferred searches; must be the twin's too if YANDEX_SEARCH_API_ROOT is.",
        ru: "Где Yandex Cloud отдаёт результаты отложенных поисков; задаётся вместе с YANDEX_SEARCH_API_ROOT.",
      },
      schema: root,
      fallback: "https://operation.api.cloud.yandex.net",
    },
    GOOGLE_SEARCH_CONSOLE_KEY: {
      group,
      about: {
        en: "Key of a service account of Google Cloud, as its JSON file has it (GOOGLE_SEARCH_CONSOLE_KEY_FILE names the file): clicks of articles from Search Console. Owners add the account's e-mail to their property.",
        ru: "Ключ сервисного аккаунта Google Cloud, как в его JSON-файле (путь к файлу — GOOGLE_SEARCH_CONSOLE_KEY_FILE): клики статей из Search Console. Владельцы сайтов добавляют e-mail аккаунта в свой ресурс.",
      },
      schema: serviceAccountKey,
      secret: true,
    },
    GOOGLE_SEARCH_CONSOLE_API_ROOT: {
      group,
      about: {
        en: "API of Search Console; the twin is used while it runs and no key is set.",
        ru: "API Search Console; пока запущен двойник и ключ не задан, используется двойник.",
      },
      schema: root,
      fallback: "https://www.googleapis.com/webmasters/v3",
    },
    GOOGLE_OAUTH_TOKEN_URL: {
      group,
      about: {
        en: "Where Google gives tokens to service accounts.",
        ru: "Где Google выдаёт токены сервисным аккаунтам.",
      },
      schema: root,
      fallback: "https://oauth2.googleapis.com/token",
    },
    YANDEX_WEBMASTER_TOKEN: {
      group,
      about: {
        en: "OAuth token of a Yandex account with the right webmaster:hostinfo: clicks of articles from Yandex Webmaster. Owners delegate their sites to the account.",
        ru: "OAuth-токен аккаунта Яндекса с правом webmaster:hostinfo: клики статей из Яндекс Вебмастера. Владельцы делегируют аккаунту права на свои сайты.",
      },
      schema: word,
      secret: true,
    },
    YANDEX_WEBMASTER_LOGIN: {
      group,
      about: {
        en: "Login of that Yandex account, as the bot tells it to owners who delegate their sites; without it they are sent to support.",
        ru: "Логин этого аккаунта Яндекса: бот называет его владельцам сайтов, чтобы они делегировали права; без него отправляет в поддержку.",
      },
      schema: word,
      example: "molva-seo",
    },
    YANDEX_WEBMASTER_API_ROOT: {
      group,
      about: {
        en: "API of Yandex Webmaster; the twin is used while it runs and no token is set.",
        ru: "API Яндекс Вебмастера; пока запущен двойник и токен не задан, используется двойник.",
      },
      schema: root,
      fallback: "https://api.webmaster.yandex.net/v4",
    },
  },
  (given) => [
    ...together(given, "DATAFORSEO_LOGIN", "DATAFORSEO_PASSWORD"),
    ...together(given, "YANDEX_SEARCH_API_KEY", "YANDEX_SEARCH_FOLDER_ID"),
  ],
);

function together<Name extends string>(
  given: Readonly<Record<Name, unknown>>,
  first: Name,
  second: Name,
): readonly string[] {
  return (given[first] === undefined) === (given[second] === undefined)
    ? []
    : [`${first} and ${second} belong together: set both or neither`];
}
