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
} as const satisfies Settings;
