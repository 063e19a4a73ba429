import { z } from "zod";
import { readDsn } from "../sentry/index.ts";
import {
  address,
  fernetKey,
  oneOf,
  port,
  postgresAddress,
  root,
  type Settings,
  trustedProxies,
  variableBindings,
  wholeNumber,
  word,
  yesNo,
} from "./setting.ts";

/** The process, its database and its storage. */
export const serverSettings = {
  MOLVA_ENV: {
    group: "Run",
    about: {
      en: "demo: twins and demo data, for `molva up` on this machine; development: no demo data; production: database, keys and address must be set. `molva serve` requires development or production.",
      ru: "demo: двойники и демонстрационные данные, для `molva up` на этой машине; development: без них; production: ничего не придумывается. `molva serve` требует development или production.",
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
  SENTRY_DSN: {
    group: "Run",
    about: {
      en: "The DSN of a project in Sentry, or in a service that speaks its protocol: errors of `molva up` and `molva serve` are reported there, without secrets, requests and quotations. Without it they are in the log only.",
      ru: "DSN проекта в Sentry или в сервисе с тем же протоколом: туда сообщается об ошибках `molva up` и `molva serve`, без секретов, запросов и цитат. Без него ошибки остаются только в журнале.",
    },
    schema: z
      .string()
      .refine(
        (text) => readDsn(text) !== undefined,
        "must be a DSN as Sentry shows it among the client keys of a project: https://key@host/number",
      ),
    secret: true,
    example: "https://0123456789abcdef0123456789abcdef@o0.ingest.sentry.io/1",
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
  MOLVA_DEMO_EXPOSED: {
    group: "HTTP",
    about: {
      en: "Let the demo listen on a MOLVA_HOST that other machines reach. The demo's published secrets are then refused.",
      ru: "Разрешить демонстрации слушать MOLVA_HOST, доступный с других машин. Опубликованные секреты демонстрации тогда ничего не открывают.",
    },
    schema: yesNo,
    fallback: false,
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
      en: "The public address of the server, for links and cookies. Required in production, with https.",
      ru: "Адрес, по которому сервер видят люди; для него создаются ссылки и cookie. В production обязателен, с https.",
    },
    schema: root,
    alias: "RAILWAY_PUBLIC_URL",
    shownFallback: "http://MOLVA_HOST:MOLVA_PORT",
    example: "https://molva.example.com",
  },
  RAILWAY_GRACEFUL_SHUTDOWN_TIMEOUT: {
    group: "HTTP",
    about: {
      en: "Seconds between the request to stop (SIGTERM) and the end of the process, as whoever runs Molva has it: so long running jobs, such as articles, may take to finish. What is not finished goes on after the next start.",
      ru: "Сколько секунд проходит от просьбы остановиться (SIGTERM) до конца процесса у того, кто запускает Молву: столько даётся начатым работам, например статьям. Что не успело, продолжится после запуска.",
    },
    schema: wholeNumber(5, 3_600),
    shownFallback: "120 in production, else 10",
  },
  MOLVA_TRUST_PROXY: {
    group: "HTTP",
    about: {
      en: "Whose X-Forwarded-* headers are trusted: the number of proxies in front, the nearest of which has a loopback or private address; or their addresses and networks, separated by commas (loopback, linklocal and uniquelocal are names for such networks).",
      ru: "Чьим заголовкам X-Forwarded-* верить: число прокси впереди, ближайший из которых имеет локальный или частный адрес; или их адреса и сети через запятую (loopback, linklocal и uniquelocal — имена таких сетей).",
    },
    schema: trustedProxies,
    fallback: 0,
    example: "1",
  },
  DATABASE_URL: {
    group: "Data",
    about: {
      en: "PostgreSQL 15 or newer. Without it an embedded PostgreSQL starts in MOLVA_HOME. A primary and its standbys are named together, as libpq has it (host1:5432,host2:5432): Molva works with whichever of them takes writes.",
      ru: "PostgreSQL 15 или новее. Без него запускается встроенный PostgreSQL в MOLVA_HOME. Основной сервер и его реплики называются вместе, как у libpq (host1:5432,host2:5432): Молва работает с тем из них, который принимает запись.",
    },
    schema: postgresAddress,
    secret: true,
    example: "postgres://molva_app:password@localhost:5432/molva",
  },
  DATABASE_OWNER_URL: {
    group: "Data",
    about: {
      en: "The same database as its owner, for `molva migrate`, `backup` and `restore`. With it, migrate makes the role that DATABASE_URL names and gives it rows and functions, but no right to change or drop tables.",
      ru: "Та же база от имени владельца, для `molva migrate`, `backup` и `restore`. С ней migrate создаёт роль из DATABASE_URL и даёт ей строки и функции, но не право менять или удалять таблицы.",
    },
    schema: postgresAddress,
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
    alias: "ENCRYPTION_KEY",
  },
  MOLVA_WORKSPACE_VARIABLES: {
    group: "Data",
    about: {
      en: "Which variables of this environment a workspace may name as the secret of a source, an alert target or a credential: NAME=workspace, separated by commas. The workspace is its id (molva workspace list), or * for every one.",
      ru: "Какие переменные этого окружения рабочее пространство может назвать секретом источника, получателя оповещений или доступа: ИМЯ=пространство через запятую. Пространство — его id (molva workspace list) или * для всех.",
    },
    schema: variableBindings,
    fallback: [],
    shownFallback: "none",
    example: "MOLVA_SOURCE_SHOP=0198c0de-0000-7000-8000-000000000001,MOLVA_ALERT_BOT=*",
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
      en: "S3-compatible storage for media. Without it they are stored in MOLVA_HOME/media.",
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
} as const satisfies Settings;
