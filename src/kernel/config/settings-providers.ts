import { address, hostList, root, type Settings, word } from "./setting.ts";

/** Addresses and keys of providers. */
export const providerSettings = {
  TELEGRAPH_API_ROOT: {
    group: "Providers",
    about: {
      en: "Telegraph's API, where previews of articles are made; the twin is used in demo.",
      ru: "API Telegraph, где создаются предпросмотры статей; в demo используется двойник.",
    },
    schema: root,
    fallback: "https://api.telegra.ph",
  },
  MOLVA_EXTRA_CA: {
    group: "Providers",
    about: {
      en: "PEM file with certificate authorities to trust besides the usual ones.",
      ru: "PEM-файл с дополнительными корневыми сертификатами.",
    },
    schema: word,
    example: "/etc/ssl/russian-trusted-root-ca.pem",
  },
  MOLVA_PROXY: {
    group: "Providers",
    about: {
      en: "HTTP proxy for requests to providers and to addresses given by users.",
      ru: "HTTP-прокси для запросов к провайдерам и по адресам от пользователей.",
    },
    schema: address("http", "https"),
    secret: true,
    example: "http://proxy.example.com:3128",
  },
  MOLVA_ALLOW_HOSTS: {
    group: "Providers",
    about: {
      en: "Private addresses that sources, webhooks and media may be asked at, each host:port, separated by commas. All others must be public.",
      ru: "Внутренние адреса, к которым разрешено обращаться источникам, вебхукам и медиа: host:port через запятую. Остальные должны быть публичными.",
    },
    schema: hostList,
    fallback: [],
    shownFallback: "none",
    example: "db.internal:5432,10.0.0.7:8080",
  },
  QSTASH_TOKEN: {
    group: "QStash",
    about: {
      en: "Token of Upstash QStash. With it and both signing keys QStash fires the schedules of SEO Master; without them Molva does it by its own clock.",
      ru: "Токен Upstash QStash. С ним и обоими ключами подписи расписания SEO Master запускает QStash; без них Молва запускает их сама.",
    },
    schema: word,
    secret: true,
  },
  QSTASH_CURRENT_SIGNING_KEY: {
    group: "QStash",
    about: {
      en: "Signing key of QStash, which calls /api/publish, /api/cleanup, /api/notify and /api/yookassa/renew. All of this happens without it too.",
      ru: "Ключ подписи QStash, который вызывает /api/publish, /api/cleanup, /api/notify и /api/yookassa/renew. Всё это происходит и без него.",
    },
    schema: word,
    secret: true,
  },
  QSTASH_NEXT_SIGNING_KEY: {
    group: "QStash",
    about: {
      en: "The key that QStash will sign with after the current one. Both are taken, so keys can be rotated while Molva runs.",
      ru: "Ключ, которым QStash будет подписывать после текущего. Принимаются оба, поэтому ключи можно менять на ходу.",
    },
    schema: word,
    secret: true,
  },
  QSTASH_URL: {
    group: "QStash",
    about: {
      en: "QStash's API; https://qstash-us-east-1.upstash.io for the US. The twin's is MOLVA_TWIN_PORT's /qstash.",
      ru: "API QStash; для США https://qstash-us-east-1.upstash.io. У двойника — /qstash на MOLVA_TWIN_PORT.",
    },
    schema: root,
    fallback: "https://qstash.upstash.io",
  },
} as const satisfies Settings;
