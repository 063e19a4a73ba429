/** Every reason of `delivery.why`, in the order in which it is checked, with its meaning. */
export const reasons = {
  sent: {
    en: "The provider took it.",
    ru: "Площадка приняла пост.",
  },
  deduped: {
    en: "The channel has the same post, so it was never queued.",
    ru: "Такой же пост в канале уже есть, поэтому в очередь он не попал.",
  },
  failed_permanent: {
    en: "It failed for good; `error` says why.",
    ru: "Окончательный отказ; причина в `error`.",
  },
  dead: {
    en: "Its attempts are used up; an operator may requeue it.",
    ru: "Попытки исчерпаны; оператор может отправить снова.",
  },
  sending: {
    en: "It is being sent at this moment.",
    ru: "Отправляется прямо сейчас.",
  },
  held: {
    en: "It is kept back for a person to decide.",
    ru: "Придержана до решения человека.",
  },
  workspace_paused: {
    en: "The workspace is paused.",
    ru: "Рабочее пространство на паузе.",
  },
  workspace_disabled: {
    en: "The workspace is disabled.",
    ru: "Рабочее пространство отключено.",
  },
  channel_disabled: {
    en: "The channel is disabled.",
    ru: "Канал отключён.",
  },
  channel_paused: {
    en: "The channel refused posts, or an operator paused it; it rests until `paused_until`.",
    ru: "Канал отказывал, или его остановил оператор; отдыхает до `paused_until`.",
  },
  group_cooldown: {
    en: "The provider asked all channels of the rate group to wait until `cooldown_until`.",
    ru: "Площадка попросила все каналы группы подождать до `cooldown_until`.",
  },
  window_closed: {
    en: "The channel's posting window is closed until `opens_at`.",
    ru: "Окно публикаций канала закрыто до `opens_at`.",
  },
  scheduled: {
    en: "Its time has not come: `due_at`.",
    ru: "Её время ещё не пришло: `due_at`.",
  },
  retry_wait: {
    en: "The last attempt failed; the next one comes at `due_at`.",
    ru: "Последняя попытка не удалась; следующая в `due_at`.",
  },
  outcome_unknown: {
    en: "Nobody knows whether the last attempt arrived; it is looked up at `due_at`, before anything is sent again.",
    ru: "Неизвестно, дошёл ли пост в последний раз; в `due_at` это проверят, прежде чем отправлять снова.",
  },
  waiting_for_slot: {
    en: "It has a slot in its channel's pace: `due_at`.",
    ru: "Ей назначено время в темпе канала: `due_at`.",
  },
  process_gone: {
    en: "The process that had it, or held its channel's place, is gone; another dispatcher takes over within seconds.",
    ru: "Процесс, который её взял или занимал место в канале, исчез; другой диспетчер подхватит работу за секунды.",
  },
  lease_expired: {
    en: "The process that had it went silent; the monitor gives it to another.",
    ru: "Процесс, который её взял, замолчал; монитор передаст её другому.",
  },
  dispatcher_not_running: {
    en: "Nothing keeps it back, and nobody takes it: no dispatcher seems to run.",
    ru: "Её ничто не держит, но никто не берёт: похоже, диспетчер не работает.",
  },
  rate_gate: {
    en: "Others go before it at the pace of its channel and its rate group.",
    ru: "Перед ней другие, в темпе канала и группы.",
  },
  max_parallel: {
    en: "The channel has as many sends under way as it allows.",
    ru: "Канал уже отправляет столько, сколько разрешено одновременно.",
  },
  ready: {
    en: "The dispatcher takes it next.",
    ru: "Диспетчер возьмёт её следующей.",
  },
} as const satisfies Readonly<Record<string, { readonly en: string; readonly ru: string }>>;

/** What would help a delivery that failed or whose channel is stopped: `help` of `delivery.why`. */
export const helps = {
  resume: {
    en: "Resume the channel when it may go on: `molva channel enable`.",
    ru: "Когда каналу можно продолжать, включите его: `molva channel enable`.",
  },
  set_credential: {
    en: "The provider does not take the channel's token: give a valid one with `molva credential set … --resume`, then `molva delivery recover`.",
    ru: "Площадка не принимает токен канала: задайте действующий через `molva credential set … --resume`, затем `molva delivery recover`.",
  },
  mend_channel: {
    en: "The chat does not take the bot's posts: give the bot its place and rights there, then `molva delivery recover`, which resumes the channel too.",
    ru: "Чат не принимает посты бота: верните боту место и права, затем `molva delivery recover`: он включит и канал.",
  },
  recover: {
    en: "When the cause is mended, `molva delivery recover` sends everything again that failed for it; so does a repeat by the sender.",
    ru: "Когда причина устранена, `molva delivery recover` отправит всё, что из-за неё не ушло; повтор от отправителя тоже дойдёт.",
  },
  renew_connection: {
    en: "The connection is its owner's to renew in the product; `molva channel test` makes it active when it works again. Then `molva delivery requeue`.",
    ru: "Подключение обновляет его владелец в продукте; если оно снова работает, его включит `molva channel test`. Затем `molva delivery requeue`.",
  },
  requeue: {
    en: "If it should go out all the same: `molva delivery requeue`.",
    ru: "Если отправить всё же нужно: `molva delivery requeue`.",
  },
} as const satisfies Readonly<Record<string, { readonly en: string; readonly ru: string }>>;

export type Help = keyof typeof helps;

export type Reason = keyof typeof reasons;

export function isReason(word: string): word is Reason {
  return word in reasons;
}
