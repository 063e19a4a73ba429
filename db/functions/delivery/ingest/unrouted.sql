-- Why no channel takes a post with these tags: how many channels there are, and the first filter that excludes the post in
-- each. A few of the tags that they require or exclude are named; the channels are not, because a sender may read this.
create or replace function delivery.unrouted(p_workspace_id uuid, p_tags text[], p_tagged_only boolean default false)
returns jsonb
language sql stable as $$
  with judged as (
    select coalesce(delivery.passes_by(c, p_tags, p_tagged_only), 'takes_it') as because,
      c.route_any, c.route_all, c.route_none
    from delivery.channels c where c.workspace_id = p_workspace_id and not c.addressed_only
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
