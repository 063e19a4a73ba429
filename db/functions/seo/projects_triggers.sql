create or replace trigger refuse_bad_timezone
  before insert or update of timezone on seo.projects
  for each row
  execute function workspaces.refuse_bad_timezone();
