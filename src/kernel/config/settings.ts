import { z } from "zod";
import { uploadPolicy, uploadPolicyDefault } from "./upload-policy.ts";

/** One environment variable: what it accepts, what it means, and how it is shown in the documents. */
export interface Setting<T = unknown> {
  readonly group: string;
  readonly about: { readonly en: string; readonly ru: string };
  readonly schema: z.ZodType<T, string>;
  /** Used when the variable is absent or blank; a setting without one is optional. */
  readonly fallback?: T;
  /** How the fallback is shown when its value alone would not say enough. */
  readonly shownFallback?: string;
  /** Never printed, and may come from a file named by NAME_FILE. */
  readonly secret?: boolean;
  readonly example?: string;
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${min} to ${max}`);

const port = wholeNumber(0, 65_535);
const word = z.string().min(1);

const address = (...schemes: string[]) =>
  z.string().refine(
    (text) => {
      const url = URL.canParse(text) ? new URL(text) : undefined;
      return url !== undefined && schemes.includes(url.protocol.slice(0, -1));
    },
    `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
  );

const root = address("http", "https").transform((text) => text.replace(/\/+$/, ""));

const hostList = z
  .string()
  .transform((text) => text.split(",").map((host) => host.trim().toLowerCase()))
  .refine(
    (hosts) => hosts.every((host) => /^([a-z0-9._-]+|\[[0-9a-f:.]+\]):\d{1,5}$/.test(host)),
    "must be host:port pairs, separated by commas",
  );

const yesNo = z
  .string()
  .toLowerCase()
  .refine((text) => ["true", "false", "1", "0", "yes", "no"].includes(text), "must be true or false")
  .transform((text) => ["true", "1", "yes"].includes(text));

const fernetKey = /^[A-Za-z0-9_-]{43}=$/;

const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `must be one of ${values.join(", ")}` });

/** Every setting of the server, in the order of the documents. */
export const settings = {
  MOLVA_ENV: {
    group: "Run",
    about: {
      en: "demo: twins and demo data; development: no demo data; production: no default is made up.",
      ru: "demo: двойники и демонстрационные данные; development: без них; production: ничего не придумывается.",
    },
    schema: oneOf("demo", "development", "production"),
    fallback: "demo",
  },
  MOLVA_HOME: {
    group: "Run",
    about: {
      en: "Folder for everything Molva keeps on disk: embedded PostgreSQL, media, keys.",
      ru: "Папка для всего, что Молва хранит на диске: встроенный PostgreSQL, медиа, ключи.",
    },
    schema: word,
    fallback: ".molva",
  },
  MOLVA_LOG_LEVEL: {
    group: "Run",
    about: { en: "How much is logged.", ru: "Подробность журнала." },
    schema: oneOf("fatal", "error", "warn", "info", "debug", "trace", "silent"),
    fallback: "info",
    shownFallback: "info; warn for molva up",
  },
  MOLVA_HOST: {
    group: "HTTP",
    about: {
      en: "Address to listen on. The default is reachable from this machine only.",
      ru: "Адрес, который слушает сервер. По умолчанию доступен только с этой машины.",
    },
    schema: word,
    fallback: "127.0.0.1",
  },
  MOLVA_PORT: {
    group: "HTTP",
    about: { en: "Port of the server.", ru: "Порт сервера." },
    schema: port,
    fallback: 8080,
  },
  MOLVA_PUBLIC_URL: {
    group: "HTTP",
    about: {
      en: "How people reach the server; links and cookies are made for it.",
      ru: "Адрес, по которому сервер видят люди; для него создаются ссылки и cookie.",
    },
    schema: root,
    shownFallback: "http://MOLVA_HOST:MOLVA_PORT",
    example: "https://molva.example.com",
  },
  MOLVA_TRUST_PROXY: {
    group: "HTTP",
    about: {
      en: "Believe X-Forwarded-* headers. Only behind a reverse proxy that sets them.",
      ru: "Доверять заголовкам X-Forwarded-*. Только за обратным прокси, который их ставит.",
    },
    schema: yesNo,
    fallback: false,
  },
  DATABASE_URL: {
    group: "Data",
    about: {
      en: "PostgreSQL 15 or newer. Without it an embedded PostgreSQL starts in MOLVA_HOME.",
      ru: "PostgreSQL 15 или новее. Без него запускается встроенный PostgreSQL в MOLVA_HOME.",
    },
    schema: address("postgres", "postgresql"),
    secret: true,
    example: "postgres://molva:password@localhost:5432/molva",
  },
  MOLVA_DATABASE_POOL: {
    group: "Data",
    about: {
      en: "Connections that one process keeps to PostgreSQL.",
      ru: "Сколько соединений с PostgreSQL держит один процесс.",
    },
    schema: wholeNumber(2, 200),
    fallback: 10,
  },
  MOLVA_ENCRYPTION_KEYS: {
    group: "Data",
    about: {
      en: "Fernet keys for secrets at rest, separated by commas: the first encrypts, all decrypt. Made in MOLVA_HOME when unset, required in production.",
      ru: "Ключи Fernet для хранимых секретов через запятую: первый шифрует, все расшифровывают. Если не заданы, создаются в MOLVA_HOME; в production обязательны.",
    },
    schema: z
      .string()
      .transform((text) => text.split(",").map((key) => key.trim()))
      .refine(
        (keys) => keys.every((key) => fernetKey.test(key)),
        "must be Fernet keys (44 characters of base64url each), separated by commas",
      ),
    secret: true,
  },
  REDIS_URL: {
    group: "Data",
    about: {
      en: "Redis for keys, counters and throttles. Without it they live in PostgreSQL.",
      ru: "Redis для ключей, счётчиков и ограничений. Без него они живут в PostgreSQL.",
    },
    schema: address("redis", "rediss"),
    secret: true,
    example: "redis://localhost:6379",
  },
  S3_ENDPOINT: {
    group: "Media",
    about: {
      en: "S3-compatible storage for media. Without it they lie in MOLVA_HOME/media.",
      ru: "S3-совместимое хранилище для медиа. Без него они лежат в MOLVA_HOME/media.",
    },
    schema: root,
    example: "https://storage.yandexcloud.net",
  },
  S3_BUCKET: {
    group: "Media",
    about: {
      en: "Bucket for media; required with S3_ENDPOINT.",
      ru: "Бакет для медиа; нужен вместе с S3_ENDPOINT.",
    },
    schema: word,
  },
  S3_REGION: {
    group: "Media",
    about: { en: "Region that requests are signed for.", ru: "Регион, для которого подписываются запросы." },
    schema: word,
    fallback: "us-east-1",
  },
  S3_ACCESS_KEY_ID: {
    group: "Media",
    about: { en: "Access key; required with S3_ENDPOINT.", ru: "Ключ доступа; нужен вместе с S3_ENDPOINT." },
    schema: word,
    secret: true,
  },
  S3_SECRET_ACCESS_KEY: {
    group: "Media",
    about: {
      en: "Secret key; required with S3_ENDPOINT.",
      ru: "Секретный ключ; нужен вместе с S3_ENDPOINT.",
    },
    schema: word,
    secret: true,
  },
  S3_FORCE_PATH_STYLE: {
    group: "Media",
    about: {
      en: "Put the bucket into the path instead of the host name (MinIO and most self-hosted servers).",
      ru: "Указывать бакет в пути, а не в имени хоста (MinIO и большинство своих серверов).",
    },
    schema: yesNo,
    fallback: true,
  },
  MOLVA_MEDIA_MAX_MB: {
    group: "Media",
    about: {
      en: "The largest file that is fetched for a post. It is streamed to the storage, never held in memory.",
      ru: "Самый большой файл, который загружается для публикации. Он пишется в хранилище потоком и не держится в памяти.",
    },
    schema: wholeNumber(1, 4096),
    fallback: 256,
  },
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
  APP_ENV: {
    group: "Advisor",
    about: {
      en: "prod: the advisor refuses plain HTTP from outside, as it does when MOLVA_PUBLIC_URL is https; dev: it does not.",
      ru: "prod: советник не принимает обычный HTTP снаружи, как и при MOLVA_PUBLIC_URL с https; dev: принимает.",
    },
    schema: oneOf("prod", "dev"),
    fallback: "dev",
  },
  APP_VERSION: {
    group: "Advisor",
    about: {
      en: "The version that GET /v1/health tells.",
      ru: "Версия, которую называет GET /v1/health.",
    },
    schema: word,
    shownFallback: "the version of Molva",
    example: "0.1.0",
  },
  BOT_BACKEND_TOKEN: {
    group: "Advisor",
    about: {
      en: "What clients of the advisor send as Authorization: Bearer; without it /v1 answers nobody, except in demo, where molva-demo-advisor-token opens it.",
      ru: "Что клиенты советника передают в Authorization: Bearer; без него /v1 никому не отвечает, а в demo подходит molva-demo-advisor-token.",
    },
    schema: z.string().regex(/^\S{16,}$/, "must have at least 16 characters and no spaces"),
    secret: true,
  },
  DEFAULT_FREE_TTL_SEC: {
    group: "Advisor",
    about: {
      en: "How long a talk on the Free plan is remembered after its last question.",
      ru: "Сколько секунд после последнего вопроса помнится разговор на тарифе Free.",
    },
    schema: wholeNumber(60, 86_400),
    fallback: 3600,
  },
  PRO_SESSION_TTL_SEC: {
    group: "Advisor",
    about: {
      en: "The same on the Pro plan.",
      ru: "То же на тарифе Pro.",
    },
    schema: wholeNumber(60, 31_536_000),
    fallback: 2_592_000,
  },
  SESSION_MAX_TURNS: {
    group: "Advisor",
    about: {
      en: "Questions with answers of a talk that the model is shown.",
      ru: "Сколько последних вопросов с ответами видит модель.",
    },
    schema: wholeNumber(0, 50),
    fallback: 6,
  },
  FREE_DAILY_LIMIT: {
    group: "Advisor",
    about: {
      en: "Questions a day (UTC) on the Free plan.",
      ru: "Вопросов в день (UTC) на тарифе Free.",
    },
    schema: wholeNumber(0, 100_000),
    fallback: 3,
  },
  COOLDOWN_SEC: {
    group: "Advisor",
    about: {
      en: "The least time between two questions on the Free plan.",
      ru: "Наименьшее время между вопросами на тарифе Free, в секундах.",
    },
    schema: wholeNumber(0, 86_400),
    fallback: 25,
  },
  PRO_RESEARCH_LIMIT: {
    group: "Advisor",
    about: {
      en: "Pieces of research a month on the Pro plan.",
      ru: "Глубоких разборов в месяц на тарифе Pro.",
    },
    schema: wholeNumber(0, 100_000),
    fallback: 2,
  },
  PRO_VISION_IMAGE_LIMIT_MONTH: {
    group: "Advisor",
    about: {
      en: "Photos a month on the Pro plan.",
      ru: "Фотографий в месяц на тарифе Pro.",
    },
    schema: wholeNumber(0, 100_000),
    fallback: 30,
  },
  BACKEND_URL: {
    group: "Advisor bot",
    about: {
      en: "Where the bot finds the advisor; it sends BOT_BACKEND_TOKEN there.",
      ru: "Где бот находит советника; туда он передаёт BOT_BACKEND_TOKEN.",
    },
    schema: root,
    shownFallback: "this server",
    example: "https://advisor.example.com",
  },
  ADVISOR_PRO_CONTACT: {
    group: "Advisor bot",
    about: {
      en: "Where the bot sends people who want Pro: an address or a name in Telegram.",
      ru: "Куда бот направляет тех, кто хочет Pro: адрес или имя в Telegram.",
    },
    schema: word,
    example: "@my_support",
  },
  MOLVA_SMTP_URL: {
    group: "Alerts",
    about: { en: "Mail server for alerts.", ru: "Почтовый сервер для оповещений." },
    schema: address("smtp", "smtps"),
    secret: true,
    example: "smtps://user:password@mail.example.com",
  },
  MOLVA_SMTP_FROM: {
    group: "Alerts",
    about: { en: "Sender of alert mail.", ru: "Отправитель писем с оповещениями." },
    schema: word,
    shownFallback: "Molva at the mail server's host",
    example: "Молва <molva@example.com>",
  },
  MOLVA_TWIN_PORT: {
    group: "Twins",
    about: { en: "Port of the provider emulators.", ru: "Порт эмуляторов провайдеров." },
    schema: port,
    fallback: 8090,
  },
  MOLVA_DISPATCH_CONCURRENCY: {
    group: "Delivery",
    about: {
      en: "Posts that one dispatcher process sends at the same time.",
      ru: "Сколько публикаций один процесс отправляет одновременно.",
    },
    schema: wholeNumber(1, 1000),
    fallback: 64,
  },
  MOLVA_BOT_CONCURRENCY: {
    group: "Delivery",
    about: {
      en: "Replies of shop bots that one process sends at the same time.",
      ru: "Сколько ответов ботов магазина один процесс отправляет одновременно.",
    },
    schema: wholeNumber(1, 1000),
    fallback: 32,
  },
  MOLVA_SEND_TIMEOUT_SECONDS: {
    group: "Delivery",
    about: {
      en: "How long one request to a provider may take.",
      ru: "Сколько может длиться один запрос к провайдеру.",
    },
    schema: wholeNumber(1, 240),
    fallback: 30,
  },
  MOLVA_SENDING_LEASE_SECONDS: {
    group: "Delivery",
    about: {
      en: "After this time in sending, the process is taken for dead and the delivery is recovered.",
      ru: "Через сколько времени отправляющий процесс считается погибшим и доставка возвращается в работу.",
    },
    schema: wholeNumber(1, 86_400),
    fallback: 300,
  },
  MOLVA_CLAIMED_LEASE_SECONDS: {
    group: "Delivery",
    about: {
      en: "After this time past its slot, a claimed delivery goes back into the queue.",
      ru: "Через сколько времени после своего слота занятая доставка возвращается в очередь.",
    },
    schema: wholeNumber(1, 86_400),
    fallback: 300,
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
