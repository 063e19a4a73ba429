-- The chain of the installation itself, for what concerns no single workspace.
create or replace function audit.installation() returns uuid
language sql immutable parallel safe
return '00000000-0000-0000-0000-000000000000'::uuid;
