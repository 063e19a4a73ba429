create or replace trigger refuse_reply_transition
  before update of status on shopbot.bot_outbox
  for each row
  when (old.status <> new.status and not shopbot.reply_transition_allowed(old.status, new.status))
  execute function shopbot.refuse_reply_transition();
