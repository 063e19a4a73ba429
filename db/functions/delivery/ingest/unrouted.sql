-- Why no channel takes a post with these tags: how many channels there are, and which filter each first fails by. Tags that
-- they ask for or exclude are named, a few at most; the channels are not, because a sender may read this.
create or replace function delivery.unrouted(p_workspace_id uuid, p_tags text[], p_tagged_only boolean default false)
returns jsonb
language sql stable as $$
  with judged as (
    select case
        when not c.enabled then 'disabled'
        when c.route_none && p_tags then 'exclude'
        when c.route_any <> '{}' and not c.route_any && p_tags then 'include_any'
        when not c.route_all <@ p_tags then 'include_all'
        when p_tagged_only and c.route_any = '{}' and c.route_all = '{}' then 'takes_everything'
        else 'takes_it'
      end as because,
      c.route_any, c.route_all, c.route_none
    from delivery.channels c where c.workspace_id = p_workspace_id
  ),
  named as (
    select distinct j.because, t.tag
    from judged j
    cross join lateral unnest(case j.because
      when 'include_any' then j.route_any
      when 'include_all' then array(select t from unnest(j.route_all) as t where t <> all (p_tags))
      when 'exclude' then array(select t from unnest(j.route_none) as t where t = any (p_tags))
    end) as t (tag)
  )
  select jsonb_build_object('tags', p_tags, 'channels', (select count(*) from judged), 'because', coalesce((
    select jsonb_agg(jsonb_build_object('filter', b.because, 'channels', b.channels, 'tags', array(
      select n.tag from named n where n.because = b.because order by n.tag limit 10)) order by b.channels desc, b.because)
    from (select because, count(*) as channels from judged group by because) b), '[]'))
$$;
