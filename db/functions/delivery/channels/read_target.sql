-- Normalises what a person typed for a chat, a wall, a board or a site, or returns the error: the first matching rule of the
-- platform decides. #2 at the end distinguishes several channels of one target. Targets of platforms without rules are not
-- checked.
create or replace function delivery.read_target(p_platform text, p_typed text, out target text, out fault text)
language plpgsql immutable parallel safe as $$
declare
  v_read   jsonb := delivery.platform_facts() #> array[p_platform, 'target'];
  v_typed  text := btrim(p_typed);
  v_number text := coalesce(substring(v_typed from '#[1-9][0-9]{0,2}$'), '');
  v_rule   jsonb;
  v_caught text[];
begin
  v_typed := left(v_typed, length(v_typed) - length(v_number));
  if v_read is null then
    target := v_typed || v_number;
    return;
  end if;
  for v_rule in select rule from jsonb_array_elements(v_read -> 'rules') with ordinality as rules (rule, place) order by place loop
    v_caught := regexp_match(v_typed, v_rule ->> 'pattern', case when v_rule -> 'ignoreCase' = 'true' then 'i' else '' end);
    if v_caught is not null then
      target := delivery.filled_target(v_rule ->> 'keep', v_caught) || v_number;
      fault := delivery.filled_target(v_rule ->> 'fault', v_caught);
      return;
    end if;
  end loop;
  fault := v_read ->> 'otherwise';
end
$$;

-- {1} is the text of the first group, {1:lower} the same in lower case.
create or replace function delivery.filled_target(p_form text, p_caught text[]) returns text
language plpgsql immutable parallel safe as $$
declare
  v_filled text := p_form;
begin
  for v_place in 1 .. cardinality(p_caught) loop
    v_filled := replace(replace(v_filled, format('{%s}', v_place), coalesce(p_caught[v_place], '')),
                        format('{%s:lower}', v_place), lower(coalesce(p_caught[v_place], '')));
  end loop;
  return v_filled;
end
$$;
