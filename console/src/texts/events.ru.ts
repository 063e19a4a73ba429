/** What happened, in words: first with the channel's name in place of `{channel}`, then without one. */
export type EventText = [inChannel: string, alone: string];

export const eventsRu = {
  enqueue: ["В очереди: {channel}", "Пост поставлен в очередь"],
  validation_failed: ["Пост не подходит для {channel}", "Пост не прошёл проверку"],
  send_attempt: ["Отправляем в {channel}", "Отправляем"],
  sent: ["Доставлено в {channel}", "Доставлено"],
  retry_scheduled: ["Отправим в {channel} ещё раз", "Отправим ещё раз"],
  dedup_suppressed: ["Уже было в {channel}, второй раз не отправляем", "Дубликат не отправляем"],
  failed_permanent: ["Отказ: в {channel} не доставлено", "Отказ: не доставлено"],
  dead_letter: ["Исчерпаны попытки: {channel}", "Исчерпаны попытки"],
  channel_paused: ["Канал {channel} на паузе", "Канал на паузе"],
  channel_disabled: ["Канал {channel} отключён", "Канал отключён"],
  channel_enabled: ["Канал {channel} включён", "Канал включён"],
  message_tag_mismatch: [
    "Пост пришёл снова с другими тегами: {channel}",
    "Пост пришёл снова с другими тегами",
  ],
  sending_lease_expired: [
    "Отправка в {channel} прервалась, проверим заново",
    "Отправка прервалась, проверим заново",
  ],
  claimed_lease_expired: [
    "Отправка в {channel} не началась, вернули в очередь",
    "Отправка не началась, вернули в очередь",
  ],
  manual_requeue: ["Оператор отправляет в {channel} снова", "Оператор отправляет снова"],
  auth_rotated: ["Обновлён доступ к {channel}", "Обновлён доступ к площадке"],
  ingress_rate_limited: [
    "Запросы идут слишком часто, лишний отклонён: {channel}",
    "Запросы идут слишком часто, лишний отклонён",
  ],
  ingress_payload_rejected: ["Слишком большой запрос отклонён: {channel}", "Слишком большой запрос отклонён"],
  ingress_dedup_dropped: ["Повторный запрос отброшен: {channel}", "Повторный запрос отброшен"],
  outcome_unknown: ["Неизвестно, дошло ли в {channel}; проверим", "Неизвестно, дошло ли; проверим"],
  reconciled_found: ["Проверили: пост в {channel} есть", "Проверили: пост дошёл"],
  reconciled_absent: ["Проверили: поста в {channel} нет", "Проверили: пост не дошёл"],
  cancelled: ["Отправка в {channel} отменена", "Отправка отменена"],
  held: ["Отправка в {channel} придержана", "Отправка придержана"],
  released: ["Отправка в {channel} снова разрешена", "Отправка снова разрешена"],
  stale_dropped: ["Пост устарел, в {channel} не отправляем", "Пост устарел, не отправляем"],
  channel_migrated: ["Канал {channel} переехал на новый адрес", "Канал переехал на новый адрес"],
  config_changed: ["Изменена настройка: {channel}", "Изменена настройка"],
  channel_changed: ["Изменены настройки канала {channel}", "Изменены настройки канала"],
  endpoint_rotated: ["Сменён секрет точки приёма: {channel}", "Сменён секрет точки приёма"],
  source_failed: ["Источник не читается: {channel}", "Источник не читается"],
  ingress_config_error: ["Ошибка в настройке приёма: {channel}", "Ошибка в настройке приёма"],
  silence_detected: ["Давно ничего не было в {channel}", "Давно не было новых постов"],
  bot_subscribed: [
    "Бот магазина подписан на обновления MAX: {channel}",
    "Бот магазина подписан на обновления MAX",
  ],
  bot_error_spike: [
    "Бот магазина часто не может ответить: {channel}",
    "Бот магазина часто не может ответить",
  ],
  fallback_rate_high: ["Боту магазина не хватает правил: {channel}", "Боту магазина не хватает правил"],
  payload_read: [
    "Оператор открыл исходный текст поста для {channel}",
    "Оператор открыл исходный текст поста",
  ],
  people_read: ["Оператор читал данные людей: {channel}", "Оператор читал данные людей"],
  account_sent: ["Аккаунт опубликовал объект: {channel}", "Аккаунт опубликовал объект"],
  account_postponed: ["Публикация от аккаунта отложена: {channel}", "Публикация от аккаунта отложена"],
  account_retry: ["Аккаунт попробует ещё раз: {channel}", "Аккаунт попробует ещё раз"],
  account_failed: ["Публикация от аккаунта не удалась: {channel}", "Публикация от аккаунта не удалась"],
  account_stuck: ["Публикация от аккаунта застряла: {channel}", "Публикация от аккаунта застряла"],
  account_cancelled: ["Публикация от аккаунта отменена: {channel}", "Публикация от аккаунта отменена"],
  account_flood_wait: ["Telegram просит аккаунт подождать: {channel}", "Telegram просит аккаунт подождать"],
  account_stopped: ["Аккаунт остановлен: {channel}", "Аккаунт остановлен"],
  account_chat_closed: ["Аккаунт больше не пишет в {channel}", "Аккаунт больше не пишет в этот чат"],
  account_slowed: [
    "Аккаунт замедлен после предупреждения: {channel}",
    "Аккаунт замедлен после предупреждения",
  ],
  account_resting: [
    "Аккаунт отдыхает после предупреждений: {channel}",
    "Аккаунт отдыхает после предупреждений",
  ],
  account_trusted_again: [
    "Аккаунт снова работает как обычно: {channel}",
    "Аккаунт снова работает как обычно",
  ],
  account_reactivated: ["Аккаунт снова включён: {channel}", "Аккаунт снова включён"],
  account_chat_joined: ["Аккаунт вступил в {channel}", "Аккаунт вступил в чат"],
  account_join_failed: ["Аккаунт не смог вступить в {channel}", "Аккаунт не смог вступить в чат"],
  account_join_flood: [
    "Telegram просит не спешить со вступлением: {channel}",
    "Telegram просит не спешить со вступлением",
  ],
} satisfies Record<string, EventText>;

export type KnownAction = keyof typeof eventsRu;
