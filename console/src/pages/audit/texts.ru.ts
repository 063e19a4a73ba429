import { numbersIn } from "../../texts/index.ts";
import type { KnownAction } from "./known-actions.ts";

const numbers = numbersIn("ru");

export const ru = {
  title: "Аудит",
  lead: "Кто входил, что менял и чьи данные открывал. Записи нельзя ни изменить, ни удалить незаметно.",
  of: "Чей аудит",
  ofChain: { all: "Всё, что здесь есть", installation: "Вся установка", workspace: "" },
  ofWorkspace: (name: string) => `Пространство «${name}»`,
  when: "Когда",
  who: "Кто",
  what: "Что",
  from: "Откуда",
  anyAction: "Любые действия",
  anybody: "Кто угодно",
  allTime: "За всё время",
  periods: { day: "За сутки", week: "За неделю", month: "За 30 дней" },
  actorId: "Номер оператора или токена",
  clear: "Сбросить",
  onlyThis: "Показать только его действия",
  refused: "отказано",
  because: (reason: string) => `Причина: ${reason}`,
  details: (seq: number) => `Подробности записи № ${numbers.format(seq)}`,
  kinds: {
    operator: "оператор",
    token: "токен",
    command: "командная строка",
    system: "сама Молва",
    anonymous: "неизвестный",
  },
  kindsFilter: {
    operator: "Операторы",
    token: "Токены",
    command: "Командная строка",
    system: "Сама Молва",
    anonymous: "Кто не вошёл",
  },
  actions: {
    "signin.succeeded": "Вход",
    "signin.refused": "Не удалось войти",
    "signin.throttled": "Слишком много попыток входа",
    "signin_link.created": "Создана ссылка для входа",
    "session.ended": "Выход",
    "session.revoked": "Сеанс закончен с другого устройства",
    "password.changed": "Пароль сменён",
    "password.refused": "Сменить пароль не удалось",
    "password.reset": "Пароль сброшен",
    "second_factor.refused": "Второй фактор не подошёл",
    "oidc.linked": "Привязан вход через провайдера",
    "operator.invited": "Приглашён оператор",
    "invitation.accepted": "Приглашение принято",
    "invitation.revoked": "Приглашение отозвано",
    "member.role_changed": "Сменена роль",
    "member.removed": "Участник убран",
    "token.created": "Создан токен",
    "token.networks_changed": "Изменены сети токена",
    "token.network_refused": "Токен пришёл из чужой сети",
    "token.revoked": "Токен отозван",
    config_changed: "Изменена настройка",
    endpoint_rotated: "Сменён секрет точки приёма",
    people_read: "Открыты данные людей",
    payload_read: "Открыт исходный текст",
    "workspace.created": "Создано пространство",
    "workspace.exported": "Пространство выгружено",
    "workspace.deleted": "Пространство удалено",
    "secrets.rotated": "Секреты перешифрованы новым ключом",
    "audit.exported": "Аудит выгружен",
    "audit.accepted": "Расхождение аудита признано",
    "audit.purged": "Удалены записи с истёкшим сроком",
  } satisfies Record<KnownAction, string>,
  subjects: {
    operator: "Оператор",
    token: "Токен",
    session: "Сеанс",
    invitation: "Приглашение",
    workspace: "Пространство",
    channel: "Канал",
    endpoint: "Точка приёма",
    webhook: "Вебхук",
    alert_target: "Получатель оповещений",
    source: "Источник",
    template: "Шаблон",
    credential: "Доступ",
    monitor_settings: "Настройка оповещений",
    limits: "Пределы",
    delivery: "Доставка",
  },
  empty: "Записей нет",
  emptyHint: "Здесь появится всё, что делают операторы, токены и команды.",
  emptyFiltered: "Под эти условия ничего не подходит. Сбросьте их или выберите период длиннее.",
  checkHint:
    "Каждая запись хранит отпечаток предыдущей, а концы цепочек подписаны. Проверка покажет, не изменил ли кто-нибудь прошлое.",
  check: "Проверить целостность",
  whole: (entries: number) =>
    `Всё на месте: ${numbers.count(entries, { one: "запись цела", few: "записи целы", other: "записей целы" })}, ничего не изменено и не удалено.`,
  sealed: "Подписано",
  accepted: (count: number) =>
    `Признано администратором раньше: ${numbers.count(count, { one: "расхождение", few: "расхождения", other: "расхождений" })}.`,
  broken: (count: number) =>
    `Аудит изменён: ${numbers.count(count, { one: "расхождение", few: "расхождения", other: "расхождений" })}.`,
  brokenHint:
    "Сохраните выгрузку и разберитесь, кто имел доступ к базе. Команда molva audit verify покажет то же подробнее.",
  finding: (kind: string, seq: number | null, until: number | null) => {
    const where =
      seq === null
        ? ""
        : until === null || until === seq
          ? `запись № ${seq}: `
          : `записи № ${seq}–${until}: `;
    const says: Readonly<Record<string, string>> = {
      missing: "удалены",
      changed: "содержание не то, что было записано",
      unlinked: "не продолжает предыдущую, одну из них подменили",
      added: "добавлено после записанного конца цепочки",
      rewritten: "цепочку переписали заново",
      seal_missing: "все подписи удалены",
      seal_invalid: "подпись не подходит ни к одному ключу",
    };
    return `${where}${says[kind] ?? kind}`;
  },
  export: "Выгрузка",
  exportLines: "Скачать NDJSON с подписью",
  exportCsv: "Скачать CSV",
  exportHint:
    "Файл с подписью проверяет команда molva audit verify, где угодно. Сама выгрузка тоже записывается.",
};
