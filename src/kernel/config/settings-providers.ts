import { z } from "zod";
import { address, hostList, root, type Setting, wholeNumber, word } from "./setting.ts";
import { uploadPolicy, uploadPolicyDefault } from "./upload-policy.ts";

/** Whom it speaks with. */
export const providerSettings = {
  TELEGRAM_API_ROOT: {
    group: "Providers",
    about: {
      en: "Telegram Bot API server; the twin is used in demo.",
      ru: "Сервер Telegram Bot API; в demo используется двойник.",
    },
    schema: root,
    fallback: "https://api.telegram.org",
  },
  MAX_API_ROOT: {
    group: "Providers",
    about: {
      en: "MAX Bot API server; its certificate needs MOLVA_EXTRA_CA. The twin is used in demo.",
      ru: "Сервер MAX Bot API; для его сертификата нужен MOLVA_EXTRA_CA. В demo используется двойник.",
    },
    schema: root,
    fallback: "https://platform-api2.max.ru",
  },
  MAX_UPLOAD_POLICY: {
    group: "Providers",
    about: {
      en: "By kind of file (image, video, audio, file): upload_required, or url_allowed when MAX may fetch it itself, which it does for images only.",
      ru: "По видам файлов (image, video, audio, file): upload_required или url_allowed, если MAX может взять файл по адресу сам; так он умеет только с image.",
    },
    schema: uploadPolicy,
    fallback: uploadPolicyDefault,
    shownFallback: "image=upload_required,video=upload_required,audio=upload_required,file=upload_required",
    example: "image=url_allowed",
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
  MOLVA_TELEGRAM_API_ID: {
    group: "Providers",
    about: {
      en: "Number of your application at my.telegram.org, by which people's own accounts reach Telegram. Without it they reach the twin while it runs.",
      ru: "Номер вашего приложения на my.telegram.org, через которое аккаунты людей выходят в Telegram. Без него они работают с двойником, пока он запущен.",
    },
    schema: wholeNumber(1, 2_147_483_647),
    example: "1234567",
  },
  MOLVA_TELEGRAM_API_HASH: {
    group: "Providers",
    about: {
      en: "Hash of that application; required with MOLVA_TELEGRAM_API_ID.",
      ru: "Хеш этого приложения; нужен вместе с MOLVA_TELEGRAM_API_ID.",
    },
    schema: z.string().regex(/^[0-9a-f]{32}$/i, "must be 32 hexadecimal digits"),
    secret: true,
  },
  OPENROUTER_API_KEY: {
    group: "Language models",
    about: {
      en: "Key of OpenRouter; without it the provider is not asked. In demo its twin needs none.",
      ru: "Ключ OpenRouter; без него к нему не обращаются. В demo двойнику ключ не нужен.",
    },
    schema: word,
    secret: true,
    example: "sk-or-v1-…",
  },
  OPENROUTER_BASE_URL: {
    group: "Language models",
    about: {
      en: "OpenRouter's API; the twin is used in demo.",
      ru: "API OpenRouter; в demo используется двойник.",
    },
    schema: root,
    fallback: "https://openrouter.ai/api/v1",
  },
  OPENAI_API_KEY: {
    group: "Language models",
    about: {
      en: "Key of OpenAI; without it the provider is not asked. In demo its twin needs none.",
      ru: "Ключ OpenAI; без него к нему не обращаются. В demo двойнику ключ не нужен.",
    },
    schema: word,
    secret: true,
    example: "sk-…",
  },
  OPENAI_BASE_URL: {
    group: "Language models",
    about: {
      en: "OpenAI's API; the twin is used in demo.",
      ru: "API OpenAI; в demo используется двойник.",
    },
    schema: root,
    fallback: "https://api.openai.com/v1",
  },
  LLM_BASE_URL: {
    group: "Language models",
    about: {
      en: "Any other server that speaks OpenAI's chat completions: the provider called compatible in policies.",
      ru: "Любой другой сервер с API chat completions, как у OpenAI: в политиках он называется compatible.",
    },
    schema: root,
    example: "http://127.0.0.1:11434/v1",
  },
  LLM_API_KEY: {
    group: "Language models",
    about: {
      en: "Key of that server, if it asks for one.",
      ru: "Ключ этого сервера, если он его требует.",
    },
    schema: word,
    secret: true,
  },
} as const satisfies Record<string, Setting>;
