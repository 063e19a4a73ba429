import { root, type Settings, word } from "./setting.ts";

/** `molva backup` and `molva restore`; a server needs none of them. */
export const backupSettings = {
  MOLVA_BACKUP_KEY: {
    group: "Backups",
    about: {
      en: "Encrypts backups: a key as `molva config key` prints it, or a passphrase of at least 12 characters. Keep it somewhere else than the backups.",
      ru: "Шифрует резервные копии: ключ, как его печатает `molva config key`, или фраза не короче 12 знаков. Храните его отдельно от копий.",
    },
    schema: word,
    secret: true,
  },
  MOLVA_BACKUP_S3_ENDPOINT: {
    group: "Backups",
    about: {
      en: "S3-compatible storage of backups in s3://bucket/prefix.",
      ru: "S3-совместимое хранилище резервных копий в s3://бакет/префикс.",
    },
    schema: root,
    shownFallback: "S3_ENDPOINT",
    example: "https://storage.yandexcloud.net",
  },
  MOLVA_BACKUP_S3_REGION: {
    group: "Backups",
    about: { en: "Region of that storage.", ru: "Регион этого хранилища." },
    schema: word,
    shownFallback: "S3_REGION",
  },
  MOLVA_BACKUP_S3_ACCESS_KEY_ID: {
    group: "Backups",
    about: { en: "Access key of that storage.", ru: "Ключ доступа к этому хранилищу." },
    schema: word,
    secret: true,
    shownFallback: "S3_ACCESS_KEY_ID",
  },
  MOLVA_BACKUP_S3_SECRET_ACCESS_KEY: {
    group: "Backups",
    about: { en: "Secret key of that storage.", ru: "Секретный ключ этого хранилища." },
    schema: word,
    secret: true,
    shownFallback: "S3_SECRET_ACCESS_KEY",
  },
} as const satisfies Settings;
