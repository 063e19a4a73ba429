-- Whether a channel with this filter takes a message with these tags. No filter takes everything.
create or replace function delivery.route_matches(p_filter jsonb, p_tags text[]) returns boolean
language sql immutable parallel safe as $$
  select p_filter is null or (
  (coalesce(jsonb_array_length(p_filter -> 'include_any'), 0) = 0
     or p_tags && array(select delivery.fold(jsonb_array_elements_text(p_filter -> 'include_any'))))
  and (coalesce(jsonb_array_length(p_filter -> 'include_all'), 0) = 0
     or p_tags @> array(select delivery.fold(jsonb_array_elements_text(p_filter -> 'include_all'))))
  and (coalesce(jsonb_array_length(p_filter -> 'exclude'), 0) = 0
     or not p_tags && array(select delivery.fold(jsonb_array_elements_text(p_filter -> 'exclude')))))
$$;
