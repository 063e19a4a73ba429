-- How long to wait before a step is retried, after this many attempts; null if it is not retried. A cache may show a page
-- late, and a site may be down for an hour.
create or replace function delivery.page_pause(p_step text, p_tries int) returns interval
language sql immutable parallel safe as $$
  select (case p_step
    when 'read' then array['5 seconds', '30 seconds', '2 minutes', '10 minutes', '30 minutes', '2 hours']::interval[]
    when 'tell' then array['0', '1 minute', '10 minutes', '1 hour', '6 hours']::interval[]
  end)[p_tries + 1]
$$;
