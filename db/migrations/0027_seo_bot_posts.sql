-- Who advertises in the posts of a project: typed once, put below every post that its owner calls an advert.
create table seo.project_adverts (
  workspace_id uuid not null,
  project_id   int not null,
  advertiser   text not null check (char_length(advertiser) between 2 and 200),
  inn          text not null check (inn ~ '^([0-9]{10}|[0-9]{12})$'),
  erid         text not null check (erid ~ '^[A-Za-z0-9_-]{5,64}$'),
  changed_at   timestamptz not null,
  primary key (workspace_id, project_id),
  foreign key (workspace_id, project_id) references seo.projects on delete cascade
);
comment on table seo.project_adverts is 'The marking of a project''s adverts: advertiser, its tax number, the token of the operator of advertising data';
alter table seo.project_adverts enable row level security;
