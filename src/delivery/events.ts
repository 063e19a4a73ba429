/** Every action of the audit trail, and what it means. */
export const eventActions = {
  config_changed: {
    en: "Somebody changed the configuration; meta.object says of what, meta the rest.",
    ru: "Изменена настройка; чего именно, сказано в meta.object, остальное в meta.",
  },
  enqueue: {
    en: "A post was put into a channel's queue.",
    ru: "Пост поставлен в очередь канала.",
  },
  validation_failed: {
    en: "The channel cannot take the post: too long, the wrong media, or a form it does not know. Nothing was sent.",
    ru: "Канал не может принять пост: слишком длинный, не те медиа или неподходящий формат. Ничего не отправлено.",
  },
  dedup_suppressed: {
    en: "The channel had the same post recently or is about to get it, so it was not queued again.",
    ru: "Такой же пост недавно был в канале или уже на пути к нему, второй раз в очередь не ставится.",
  },
  message_tag_mismatch: {
    en: "The same post came again with other tags; the tags it first came with stay.",
    ru: "Тот же пост пришёл с другими тегами; остаются теги, с которыми он пришёл впервые.",
  },
  send_attempt: {
    en: "An attempt is counted and the request to the provider follows. Written before the network is touched.",
    ru: "Попытка засчитана, дальше запрос к площадке. Записывается до обращения к сети.",
  },
  sent: {
    en: "The provider took the post; `meta.provider_message_id` is its id there.",
    ru: "Площадка приняла пост; `meta.provider_message_id` хранит его номер на ней.",
  },
  retry_scheduled: {
    en: "The attempt failed in a way that may pass; `meta.next_retry_at` is when the next one comes.",
    ru: "Попытка не удалась, но помеха временная; `meta.next_retry_at` говорит, когда следующая.",
  },
  failed_permanent: {
    en: "The provider refused the post for good; it will not be tried again by itself.",
    ru: "Площадка отказала окончательно; сам по себе пост больше не отправляется.",
  },
  dead_letter: {
    en: "The attempts are used up; an operator may send the delivery again.",
    ru: "Попытки исчерпаны; оператор может отправить снова.",
  },
  outcome_unknown: {
    en: "The request went out and its answer did not come: the post may or may not have arrived.",
    ru: "Запрос ушёл, а ответа нет: пост мог дойти, а мог и не дойти.",
  },
  reconciled_found: {
    en: "After an unknown outcome the post was looked up at the provider, and it is there.",
    ru: "После неизвестного исхода пост поискали на площадке, и он там есть.",
  },
  reconciled_absent: {
    en: "After an unknown outcome the post was looked up at the provider, and it is not there: it is sent now.",
    ru: "После неизвестного исхода пост поискали на площадке, и его там нет: отправляется сейчас.",
  },
  sending_lease_expired: {
    en: "The process that was sending went silent; the delivery waits for another to check and try.",
    ru: "Процесс, который отправлял, замолчал; доставку проверит и повторит другой.",
  },
  claimed_lease_expired: {
    en: "A delivery was taken but its sending never began; it is back in the queue, no attempt counted.",
    ru: "Доставку взяли, но отправка не началась; она вернулась в очередь, попытка не засчитана.",
  },
  stale_dropped: {
    en: "The post grew older than its channel allows before it could be sent.",
    ru: "Пост устарел для канала раньше, чем его удалось отправить.",
  },
  cancelled: {
    en: "A delivery was called off before it was sent: by an operator, or because a person waited for it too long (`meta.reason`).",
    ru: "Доставка отменена до отправки: оператором или потому, что человек ждал её слишком долго (`meta.reason`).",
  },
  held: {
    en: "A delivery is kept back, by an operator or because it is out of date; `meta` has the reason.",
    ru: "Доставка придержана оператором или потому, что пост устарел; причина в `meta`.",
  },
  released: {
    en: "A delivery that was kept back may go on.",
    ru: "Придержанная доставка снова может идти.",
  },
  rescheduled: {
    en: "An operator gave a waiting delivery another time; `meta` has the old one and the new one.",
    ru: "Оператор назначил ожидающей доставке другое время; прежнее и новое в `meta`.",
  },
  manual_requeue: {
    en: "An operator sent a failed delivery again, which grants it one more attempt.",
    ru: "Оператор снова отправил неудавшуюся доставку; ей дана ещё одна попытка.",
  },
  correction_queued: {
    en: "A post that was sent is to be changed or taken back; `meta` says which, who and why.",
    ru: "Отправленный пост решено изменить или отозвать; что именно, кто и почему, сказано в `meta`.",
  },
  correction_attempt: {
    en: "An attempt to change or take back a post is counted and the request to the provider follows.",
    ru: "Попытка изменить или отозвать пост засчитана, дальше запрос к площадке.",
  },
  corrected: {
    en: "Readers see the post in its new words.",
    ru: "Читатели видят пост в новой редакции.",
  },
  withdrawn: {
    en: "The post was taken back: readers see it no more, and the channel may get it again.",
    ru: "Пост отозван: читатели его не видят, канал может получить его снова.",
  },
  correction_unknown: {
    en: "A correction went out and its answer did not come: it is made again, which does no harm.",
    ru: "Исправление ушло, а ответа нет: оно повторится, вреда от этого не будет.",
  },
  correction_retry: {
    en: "A correction failed in a way that may pass; `meta.next_retry_at` is when the next attempt comes.",
    ru: "Исправить не удалось, но помеха временная; `meta.next_retry_at` говорит, когда следующая попытка.",
  },
  correction_failed: {
    en: "A post could not be changed or taken back: the platform cannot do it, refused it, or the attempts are used up.",
    ru: "Пост не удалось изменить или отозвать: площадка не умеет, отказала, или попытки исчерпаны.",
  },
  correction_superseded: {
    en: "A newer correction of the same post has taken the place of this one.",
    ru: "Это исправление заменено более новым исправлением того же поста.",
  },
  correction_lease_expired: {
    en: "The process that was correcting a post went silent; another one makes the correction again.",
    ru: "Процесс, который исправлял пост, замолчал; исправление повторит другой.",
  },
  post_replaced: {
    en: "A post that had not been sent yet goes out in new words.",
    ru: "Пост, который ещё не отправлен, уйдёт в новой редакции.",
  },
  channel_paused: {
    en: "The channel refused posts and rests until `meta.paused_until`; the other channels go on.",
    ru: "Канал отказывает и отдыхает до `meta.paused_until`; остальные каналы работают.",
  },
  channel_disabled: {
    en: "The channel refused too many posts in a row, or an operator switched it off.",
    ru: "Канал отказал слишком много раз подряд, или его отключил оператор.",
  },
  channel_enabled: {
    en: "The channel is switched on again.",
    ru: "Канал снова включён.",
  },
  channel_changed: {
    en: "Somebody changed the channel's settings; `meta` names them.",
    ru: "Настройки канала изменены; какие, сказано в `meta`.",
  },
  channel_migrated: {
    en: "The provider gave the chat a new id, and the channel follows it.",
    ru: "Площадка дала чату новый номер, канал теперь указывает на него.",
  },
  connection_failed: {
    en: "The connection of a product's user was refused; it takes no posts until it is renewed or a test of it succeeds.",
    ru: "Подключение пользователя продукта получило отказ; посты не принимаются, пока его не обновят или проверка не пройдёт.",
  },
  connection_restored: {
    en: "A connection that had failed takes posts again; `meta.because`: a credential, a test, a renewal, or a post that arrived.",
    ru: "Подключение снова принимает посты; `meta.because`: новый ключ, проверка, обновление или дошедший пост.",
  },
  product_told: {
    en: "An addressed delivery has ended and its product's job was put into the queue; `meta.outcome` says how it ended.",
    ru: "Адресная доставка завершилась, задача продукта поставлена в очередь; чем кончилось, говорит `meta.outcome`.",
  },
  page_checked: {
    en: "The page of a post was opened as readers open it; `meta.findings` lists what is wrong, blank when all is in order.",
    ru: "Страница поста открыта так, как её видят читатели; что не так, перечислено в `meta.findings`, пусто, если всё в порядке.",
  },
  page_check_retry: {
    en: "The page of a post is not as it should be, which may pass; it is opened again at `meta.next_at`.",
    ru: "Страница поста пока не такая, какой должна быть, это может пройти; она откроется снова в `meta.next_at`.",
  },
  indexnow_told: {
    en: "Search engines were told of a page by IndexNow; `meta.said` is what they answered.",
    ru: "Поисковикам сообщено о странице через IndexNow; что они ответили, говорит `meta.said`.",
  },
  indexnow_retry: {
    en: "IndexNow could not be told of a page now; it is told again at `meta.next_at`.",
    ru: "Сообщить IndexNow о странице сейчас не удалось; следующая попытка в `meta.next_at`.",
  },
  auth_rotated: {
    en: "The channel was given another credential.",
    ru: "Каналу дан другой ключ доступа.",
  },
  silence_detected: {
    en: "Nothing has been posted for longer than is usual here.",
    ru: "Новых постов нет дольше, чем здесь принято.",
  },
  ingress_rate_limited: {
    en: "A request came faster than its endpoint allows and was refused.",
    ru: "Запрос пришёл чаще, чем разрешает точка приёма, и отклонён.",
  },
  ingress_payload_rejected: {
    en: "A request or an item of a source was larger than its endpoint allows, or could not become a post, and was refused.",
    ru: "Запрос или запись источника больше, чем разрешает точка приёма, или не может стать постом; отклонено.",
  },
  ingress_dedup_dropped: {
    en: "A request repeated an earlier one and was dropped.",
    ru: "Запрос повторяет прежний и отброшен.",
  },
  ingress_config_error: {
    en: "A source has no endpoint to come in through, or it is disabled.",
    ru: "У источника нет точки приёма, или она отключена.",
  },
  endpoint_rotated: {
    en: "An endpoint was given another secret; the old one opens it until `meta.old_works_until`, or no longer.",
    ru: "Точке приёма дан другой секрет; прежний подходит до `meta.old_works_until` или уже не подходит.",
  },
  webhook_disabled: {
    en: "A webhook was switched off: its receiver answered 410, or failed for five days. `meta.webhook_id` is which.",
    ru: "Вебхук отключён: получатель ответил 410 или не отвечал пять дней. Какой именно, говорит `meta.webhook_id`.",
  },
  source_failed: {
    en: "A source that is read on a schedule could not be read.",
    ru: "Источник, который читается по расписанию, прочитать не удалось.",
  },
  bot_subscribed: {
    en: "MAX was told where the shop bot's updates go, for the first time or because it had forgotten.",
    ru: "MAX узнал, куда слать обновления бота магазина: впервые или потому, что забыл.",
  },
  operator_missing: {
    en: "A customer asked the shop bot for a person, and no operators' group is set.",
    ru: "Покупатель попросил у бота магазина сотрудника, а группа сотрудников не задана.",
  },
  operator_silent: {
    en: "A customer called a person and nobody has answered in time; `meta.ended`: nobody did until the end.",
    ru: "Покупатель позвал сотрудника, и никто не ответил вовремя; `meta.ended`: не ответил до конца.",
  },
  bot_send_failed: {
    en: "A message of the shop bot will not arrive; `meta.kind` says which, the error why.",
    ru: "Сообщение бота магазина не дойдёт; какое, говорит `meta.kind`, почему, говорит ошибка.",
  },
  bot_error_spike: {
    en: "The shop bot failed to answer more often than it should; `meta` has the figures.",
    ru: "Бот магазина слишком часто не смог ответить; цифры в `meta`.",
  },
  fallback_rate_high: {
    en: "Too many questions to the shop bot fit no rule; `meta` has the figures.",
    ru: "Слишком много вопросов к боту магазина не подошло ни под одно правило; цифры в `meta`.",
  },
  account_chat_joined: {
    en: "An account joined a chat of a list, or was in it already; `meta.link` names it.",
    ru: "Аккаунт вступил в чат из списка или уже состоял в нём; `meta.link` его называет.",
  },
  account_join_failed: {
    en: "An account could not join a chat: the link leads nowhere, Telegram refused, or the network failed.",
    ru: "Аккаунт не смог вступить в чат: ссылка никуда не ведёт, Telegram отказал или подвела сеть.",
  },
  account_join_flood: {
    en: "Telegram asked an account to wait before its next join.",
    ru: "Telegram попросил аккаунт подождать перед следующим вступлением.",
  },
  account_sent: {
    en: "A person's account published an object. As in all account events, `meta` names the account, the task, the object and the chat.",
    ru: "Аккаунт человека опубликовал объект. Как во всех событиях аккаунтов, `meta` называет аккаунт, задачу, объект и чат.",
  },
  account_postponed: {
    en: "A publication was put off without counting a try: the limiter, slow mode or the account's safety; `meta.until` is when it comes.",
    ru: "Публикация отложена, попытка не засчитана: лимит, медленный режим или безопасность аккаунта; `meta.until` говорит, до когда.",
  },
  account_retry: {
    en: "A try ended badly for a while; `meta.next_retry_at` is when the next one comes.",
    ru: "Попытка не удалась, помеха временная; `meta.next_retry_at` говорит, когда следующая.",
  },
  account_failed: {
    en: "A publication ended without a message; the error's code is the reason.",
    ru: "Публикация закончилась без сообщения; код ошибки называет причину.",
  },
  account_stuck: {
    en: "The process that was publishing went silent; the task was taken back, or ended when it was its last try.",
    ru: "Процесс, который публиковал, замолчал; задача возвращена или завершена, если попытка была последней.",
  },
  account_cancelled: {
    en: "A publication was called off before it was taken.",
    ru: "Публикация отменена до отправки.",
  },
  account_flood_wait: {
    en: "Telegram told the account to wait `meta.seconds`; the account is switched off until a person reactivates it.",
    ru: "Telegram велел аккаунту ждать `meta.seconds` секунд; аккаунт отключён, пока его не включит человек.",
  },
  account_stopped: {
    en: "Telegram is done with the account, as `meta.code` says; its tasks wait for its return.",
    ru: "Telegram отказал аккаунту, причина в `meta.code`; задачи ждут его возвращения.",
  },
  account_chat_closed: {
    en: "The account may not write in this chat, as `meta.code` says; the other chats go on.",
    ru: "Аккаунт больше не может писать в этот чат, причина в `meta.code`; остальные чаты работают.",
  },
  account_slowed: {
    en: "Telegram warned the account, as `meta.code` says; from now on it goes slower: `meta.per_day` messages, `meta.copies` of one text.",
    ru: "Telegram предупредил аккаунт, причина в `meta.code`; теперь он идёт медленнее: `meta.per_day` сообщений, `meta.copies` с одним текстом.",
  },
  account_resting: {
    en: "After warnings the account rests until `meta.until`, then tries a few messages far apart.",
    ru: "После предупреждений аккаунт отдыхает до `meta.until`, затем пробует несколько сообщений с большими паузами.",
  },
  account_trusted_again: {
    en: "The messages after the account's rest went well; it goes on as usual.",
    ru: "Сообщения после отдыха прошли хорошо; аккаунт работает как обычно.",
  },
  account_reactivated: {
    en: "Somebody switched the account on again; its tasks have fresh times.",
    ru: "Аккаунт снова включён; его задачи получили новое время.",
  },
  balance_adjusted: {
    en: "An operator gave a person tokens or took some; `meta` says whom, how many, who and why.",
    ru: "Оператор начислил человеку токены или списал; кому, сколько, кто и почему, сказано в `meta`.",
  },
  hold_returned: {
    en: "Tokens were held for work that nobody ended; they went back to the person. `meta.run` names the work.",
    ru: "Токены были удержаны за работу, которую никто не завершил; они возвращены человеку. Работу называет `meta.run`.",
  },
  billing_discrepancy: {
    en: "The books of tokens and payments do not agree; `meta.kinds` says how, `molva billing check` where.",
    ru: "Учёт токенов и платежей не сходится; как именно, говорит `meta.kinds`, где, показывает `molva billing check`.",
  },
  payment_completed: {
    en: "A payment came and was credited; `meta` says whose, for what, how much.",
    ru: "Платёж пришёл и зачислен; чей, за что и сколько, сказано в `meta`.",
  },
  payment_refused: {
    en: "Money came that is unlike what was sold; nothing was credited. `error.code` says what differs.",
    ru: "Пришли деньги, которые не сходятся с продажей; ничего не зачислено. Что не сходится, говорит `error.code`.",
  },
  payment_trouble: {
    en: "Payments by a provider are in trouble that no single payment can tell of: a notification that is not the provider's, a refused key. `error.code` says which.",
    ru: "С платежами через поставщика беда, о которой не скажет ни один платёж: чужое уведомление, отвергнутый ключ. Какая именно, говорит `error.code`.",
  },
  llm_no_credits: {
    en: "A provider of language models refuses because its account is empty or its limit reached; `meta.provider` says which.",
    ru: "Поставщик языковых моделей отказывает: счёт пуст или исчерпан лимит; какой поставщик, говорит `meta.provider`.",
  },
  payment_failed: {
    en: "A payment that was expected did not come; `error.code` says why.",
    ru: "Ожидаемый платёж не пришёл; почему, говорит `error.code`.",
  },
  payment_refunded: {
    en: "Money of a payment went back, and the same part of its tokens with it; `meta` has both.",
    ru: "Деньги платежа возвращены, и вместе с ними та же доля токенов; в `meta` есть и то и другое.",
  },
  subscription_changed: {
    en: "A subscription was cancelled, resumed, paused or ended: `meta.status`.",
    ru: "Подписка отменена, возобновлена, приостановлена или закончилась: `meta.status`.",
  },
  plan_ended: {
    en: "A plan of the advisor that was paid for has ended; the person is on Free again.",
    ru: "Оплаченный тариф советника закончился; человек снова на Free.",
  },
  payload_read: {
    en: "Somebody read a raw payload that is kept apart; meta says who and why.",
    ru: "Кто-то прочитал исходные данные, которые хранятся отдельно; кто и зачем, сказано в meta.",
  },
  people_read: {
    en: "Somebody read dialogues, a phone or people's profiles: `meta.object` says what, `meta.operator` who.",
    ru: "Кто-то прочитал диалоги, телефон или профили людей: `meta.object` говорит что, `meta.operator` — кто.",
  },
} as const satisfies Readonly<Record<string, { readonly en: string; readonly ru: string }>>;

export type EventAction = keyof typeof eventActions;
