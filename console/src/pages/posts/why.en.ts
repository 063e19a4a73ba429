import type { whyRu } from "./why.ru.ts";

export const whyEn: typeof whyRu = {
  reason: {
    sent: "The platform took the post.",
    deduped: "The channel has the same post already, so it was never queued.",
    failed_permanent: "It failed for good.",
    dead: "Its attempts are used up. You can send it again.",
    sending: "It is being sent right now.",
    held: "It is kept back for a person to decide.",
    workspace_paused: "The workspace is paused.",
    workspace_disabled: "The workspace is disabled.",
    channel_disabled: "The channel is disabled.",
    channel_paused: "The channel is paused until {until}.",
    group_cooldown: "The platform asked to wait until {until}.",
    window_closed: "The channel does not publish now; its window opens {until}.",
    scheduled: "Its time has not come: it is scheduled for {until}.",
    retry_wait: "The last attempt failed; the next one is {until}.",
    outcome_unknown:
      "Nobody knows whether it arrived. It is looked up {until}, before anything is sent again.",
    waiting_for_slot: "It waits for its turn in the channel's pace: {until}.",
    process_gone: "The process that had it is gone; another takes over within seconds.",
    lease_expired: "The process that had it went silent; another gets it.",
    dispatcher_not_running: "Nothing keeps it back, and nobody takes it: no dispatcher seems to run.",
    rate_gate: "Others go before it, at the channel's pace.",
    max_parallel: "The channel has as many sends under way as it allows.",
    ready: "It goes out next.",
  },
  help: {
    resume: "When the channel may go on, enable it.",
    set_credential:
      "The platform does not take the channel's credential: set a valid one, then recover the channel.",
    mend_channel:
      "The chat does not take the bot's posts: give the bot its place and rights, then recover the channel.",
    recover: "When the cause is mended, recover the channel: everything that failed for it goes out.",
    renew_connection: "Its owner renews the connection. When it works again, send once more.",
    requeue: "If it should go out all the same, send it again.",
  },
  noEnd: "somebody enables it",
};
