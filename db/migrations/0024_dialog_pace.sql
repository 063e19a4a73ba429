-- How fast somebody writes, and the screen to which a cancelled flow returns.

alter table dialogs.dialogues
  -- Updates since the minute began; those over the bot's limit are dropped.
  add column minute_began timestamptz,
  add column minute_count int not null default 0,
  -- The last screen that was shown, also while a flow is under way.
  add column last_screen  text;
