-- The database checks the filter and the settings of a channel, whoever writes the row: a filter with a misspelt key would
-- take every post, and a setting of the wrong type would make each post fail.
create or replace function delivery.check_channel_rules() returns trigger
language plpgsql as $$
declare
  v_fault  text := delivery.route_filter_fault(new.route_filter);
  v_column text := 'route_filter';
begin
  if v_fault is null then
    v_fault := delivery.channel_settings_fault(new.platform, new.settings);
    v_column := 'settings';
  end if;
  if v_fault is not null then
    raise exception '%', v_fault using errcode = 'check_violation', schema = 'delivery', table = 'channels',
      column = v_column, constraint = v_column || '_valid';
  end if;
  new.tags := delivery.tags_in_order(new.tags);
  new.route_filter := case when new.route_filter is not null then delivery.route_filter_in_order(new.route_filter) end;
  return new;
end
$$;

-- The error in a route filter, in one sentence; null if there is none.
create or replace function delivery.route_filter_fault(p_filter jsonb) returns text
language plpgsql immutable parallel safe as $$
declare
  v_key  text;
  v_tags jsonb;
begin
  if p_filter is null then
    return null;
  elsif jsonb_typeof(p_filter) <> 'object' then
    return 'The route filter must be an object with include_any, include_all and exclude.';
  end if;
  for v_key, v_tags in select key, value from jsonb_each(p_filter) loop
    if v_key not in ('include_any', 'include_all', 'exclude') then
      return format('The route filter has no key %s: it has include_any, include_all and exclude.', to_json(v_key));
    elsif jsonb_typeof(v_tags) <> 'array' then
      return format('%s must be a list of tags, such as ["news"].', v_key);
    elsif exists (select from jsonb_array_elements(v_tags) as tag where jsonb_typeof(tag) <> 'string') then
      return format('%s must hold texts only.', v_key);
    elsif exists (select from jsonb_array_elements_text(v_tags) as tag where delivery.tag_of(tag) = '') then
      return format('%s holds an empty tag.', v_key);
    end if;
  end loop;
  return null;
end
$$;

-- The filter with normalised tags.
create or replace function delivery.route_filter_in_order(p_filter jsonb) returns jsonb
language plpgsql immutable parallel safe as $$
begin
  return (
    select coalesce(jsonb_object_agg(key, to_jsonb(delivery.tags_in_order(array(select jsonb_array_elements_text(value))))), '{}')
    from jsonb_each(p_filter));
end
$$;

-- The type of each setting that the platform reads; other settings are kept for templates and products.
create or replace function delivery.channel_setting_kinds(p_platform text) returns table (key text, kinds text[], words text[])
language sql immutable parallel safe as $$
  values ('parse_mode', array['string'], array['HTML', 'Markdown', 'None']),
         ('dialect', array['string'], array(select jsonb_array_elements_text(delivery.markdown_dialects() -> 'names'))),
         ('too_long', array['string'], array['refuse', 'split']),
         ('broken_markup', array['string'], array['refuse', 'plain']),
         ('markup', array['string'], array['entities', 'html']),
         ('disable_preview', array['boolean'], null),
         ('silent', array['boolean'], null),
         ('protect', array['boolean'], null),
         ('strict', array['boolean'], null),
         ('convert_images', array['boolean'], null),
         ('link_preview', array['object'], null),
         ('thread_id', array['string', 'number'], null)
  union all
  select own.key, array(select jsonb_array_elements_text(own.value -> 'kinds')),
    case when own.value ? 'words' then array(select jsonb_array_elements_text(own.value -> 'words')) end
  from jsonb_each(delivery.platform_facts() #> array[p_platform, 'settings']) as own
$$;

-- The error in a channel's settings, in one sentence; null if there is none.
create or replace function delivery.channel_settings_fault(p_platform text, p_settings jsonb) returns text
language plpgsql immutable parallel safe as $$
begin
  return (
    select case
        when k.key is null then format('settings.%s: a secret does not belong into the settings; bind it as a credential.', g.key)
        when jsonb_typeof(g.value) <> all (k.kinds) then format('settings.%s must be a %s.', g.key, array_to_string(k.kinds, ' or a '))
        else format('settings.%s must be one of %s.', g.key, array_to_string(k.words, ', '))
      end
    from jsonb_each(p_settings) g
    left join delivery.channel_setting_kinds(p_platform) k on k.key = g.key
    where g.value <> 'null'
      and (jsonb_typeof(g.value) <> all (k.kinds)
           or k.words is not null and g.value #>> '{}' <> all (k.words)
           or k.key is null and g.key ~* 'token|secret|passw|authorization|api_?key')
    order by g.key
    limit 1);
end
$$;
