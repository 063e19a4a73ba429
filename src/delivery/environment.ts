import {
  address,
  type Config,
  type Environment,
  root,
  settingGroup,
  settingsOf,
  wholeNumber,
  word,
} from "../kernel/config/index.ts";

export const deliverySettings = settingGroup(
  {
    MOLVA_MEDIA_MAX_MB: {
      group: "Media",
      about: {
        en: "The largest file that is fetched for a post. It is streamed to the storage, never held in memory.",
        ru: "Самый большой файл, который загружается для публикации. Он пишется в хранилище потоком и не держится в памяти.",
      },
      schema: wholeNumber(1, 4096),
      fallback: 256,
    },
    INDEXNOW_API_ROOT: {
      group: "Providers",
      about: {
        en: "Where search engines are told of new pages, without /indexnow; https://yandex.com works as well. The twin is used in demo.",
        ru: "Куда сообщать поисковикам о новых страницах, без /indexnow; подходит и https://yandex.com. В demo используется двойник.",
      },
      schema: root,
      fallback: "https://api.indexnow.org",
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
    MOLVA_DISPATCH_CONCURRENCY: {
      group: "Delivery",
      about: {
        en: "Posts that one dispatcher process sends at the same time.",
        ru: "Сколько публикаций один процесс отправляет одновременно.",
      },
      schema: wholeNumber(1, 1000),
      fallback: 64,
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
  },
  ({ MOLVA_SENDING_LEASE_SECONDS }, { MOLVA_SEND_TIMEOUT_SECONDS }) =>
    MOLVA_SENDING_LEASE_SECONDS <= MOLVA_SEND_TIMEOUT_SECONDS
      ? [
          "MOLVA_SENDING_LEASE_SECONDS must be longer than MOLVA_SEND_TIMEOUT_SECONDS, or live sends are taken for dead",
        ]
      : [],
);

/** The seconds after which a process that has claimed a delivery, or is sending it, is considered dead. */
export function leasesOf(core: { readonly config: Config }) {
  const { MOLVA_SENDING_LEASE_SECONDS: sendingSeconds, MOLVA_CLAIMED_LEASE_SECONDS: claimedSeconds } =
    settingsOf(core, deliverySettings);
  return { sendingSeconds, claimedSeconds };
}

/** The address of IndexNow: its twin, if twins run and no address was set explicitly. */
export function indexNowRootOf(core: {
  readonly config: Config;
  readonly environment: Environment;
  readonly twinsUrl: string | undefined;
}): string {
  return core.twinsUrl && !core.environment.INDEXNOW_API_ROOT?.trim()
    ? `${core.twinsUrl}/indexnow`
    : settingsOf(core, deliverySettings).INDEXNOW_API_ROOT;
}
