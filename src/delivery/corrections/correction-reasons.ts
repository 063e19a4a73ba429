/** The reasons of `delivery.why_correction` that deliveries do not have. */
const ownReasons = {
  done: {
    en: "It was made: readers see the post as it is now, or no longer.",
    ru: "Сделано: читатели видят пост таким, как сейчас, или больше не видят.",
  },
  superseded: {
    en: "A newer correction of the same post has taken its place.",
    ru: "Её заменило более новое исправление того же поста.",
  },
  waiting_for_post: {
    en: "Its post is still being sent; it is corrected when that is over.",
    ru: "Сам пост ещё отправляется; исправление пойдёт сразу после.",
  },
} as const;

/** Reasons that mean the same as for deliveries, in their words. */
const sharedReasons = {
  sending: {
    en: "A process is correcting it now.",
    ru: "Исправляется прямо сейчас.",
  },
  failed_permanent: {
    en: "The platform refused it for good.",
    ru: "Площадка отказала окончательно.",
  },
  dead: {
    en: "All attempts are used up; correct the post once more to try again.",
    ru: "Попытки исчерпаны; чтобы попробовать снова, исправьте пост ещё раз.",
  },
  workspace_paused: { en: "The workspace is paused.", ru: "Рабочее пространство на паузе." },
  workspace_disabled: { en: "The workspace is disabled.", ru: "Рабочее пространство выключено." },
  channel_disabled: { en: "The channel is disabled.", ru: "Канал выключен." },
  channel_paused: {
    en: "The channel rests until `paused_until`.",
    ru: "Канал отдыхает до `paused_until`.",
  },
  group_cooldown: {
    en: "The provider asked the whole rate group to wait until `cooldown_until`.",
    ru: "Площадка попросила всю группу подождать до `cooldown_until`.",
  },
  retry_wait: {
    en: "The last attempt failed; the next one comes at `due_at`.",
    ru: "Прошлая попытка не удалась; следующая в `due_at`.",
  },
  outcome_unknown: {
    en: "Nobody knows whether the last attempt arrived; it is made again at `due_at`.",
    ru: "Неизвестно, дошла ли прошлая попытка; она повторится в `due_at`.",
  },
  process_gone: {
    en: "The process that had it is gone; another one takes over within seconds.",
    ru: "Процесс, который её взял, исчез; другой подхватит за секунды.",
  },
  lease_expired: {
    en: "The process that had it went silent; the monitor gives it to another.",
    ru: "Процесс, который её взял, замолчал; монитор передаст её другому.",
  },
  rate_gate: {
    en: "Others go before it at the pace of its channel and its rate group.",
    ru: "Перед ней другие, в темпе канала и группы.",
  },
  max_parallel: {
    en: "The channel has as many requests under way as it allows.",
    ru: "Канал уже выполняет столько запросов, сколько разрешено одновременно.",
  },
  ready: { en: "The dispatcher takes it next.", ru: "Диспетчер возьмёт её следующей." },
} as const;

export const correctionReasons = { ...ownReasons, ...sharedReasons } as const;
export type CorrectionReason = keyof typeof correctionReasons;

export function isCorrectionReason(word: string): word is CorrectionReason {
  return word in correctionReasons;
}
