-- Made by `npm run generate` from src/content/post.ts; change the definitions there, not this file.
-- The dialects of Markdown by their names, and the parse modes that mean one of them.
create or replace function delivery.markdown_dialects() returns jsonb
language sql immutable parallel safe as $facts$
select '{
  "names": [
    "commonmark",
    "telegram",
    "telegram_legacy",
    "max"
  ],
  "by_mode": {
    "markdownv2": "telegram"
  }
}'::jsonb
$facts$;
