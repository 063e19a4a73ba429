import { settingGroup, wholeNumber } from "../kernel/config/index.ts";

export const auditSettings = settingGroup({
  MOLVA_AUDIT_RETENTION_DAYS: {
    group: "Data",
    about: {
      en: "How many days entries of the audit are kept; at least 30. `molva migrate` writes it down: a server may keep them longer, not shorter. No setting of a workspace shortens it.",
      ru: "Сколько дней хранятся записи аудита; не меньше 30. Срок записывает `molva migrate`: сервер может хранить дольше, но не меньше. Настройки пространства этот срок не сокращают.",
    },
    schema: wholeNumber(30, 36_500),
    fallback: 365,
  },
});
