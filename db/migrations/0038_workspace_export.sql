-- When everything of the workspace was last exported: it is not deleted without that.
alter table workspaces.workspaces add exported_at timestamptz;
