import { usePageTexts } from "../../texts/index.ts";
import { Badge, Card, Notice } from "../../ui/index.ts";
import { failureWords } from "./run-words.ts";
import type { Previewed, Report } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

/** What a source would post now. */
export function RehearsalCard({
  report: { outcome, failure, listed = 0, seen = 0, items = [] },
}: {
  report: Report;
}) {
  const texts = usePageTexts({ ru, en });
  if (outcome === "failed")
    return (
      <Notice tone="bad" title={texts.rehearsalFailed}>
        {failure && failureWords(failure, texts)}
      </Notice>
    );
  const would = items.filter(({ invalid }) => invalid === undefined).length;
  return (
    <Card title={texts.rehearsal} className="rehearsal">
      <p role="status">
        {items.length + seen === 0 ? texts.rehearsedNothing : texts.rehearsed(listed, would, seen)}
      </p>
      {items.length > 0 && (
        <ul className="rehearsal-posts">
          {items.map((each, at) => (
            <li key={each.item.source_ref ?? at}>
              <Post previewed={each} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Post({ previewed: { item, invalid, renderings } }: { previewed: Previewed }) {
  const texts = usePageTexts({ ru, en });
  const all = Object.values(renderings);
  const text = all.find(({ ok }) => ok)?.text ?? item.payload?.text;
  const refusals = [...new Set(all.flatMap(({ error }) => (error ? [error.message] : [])))];
  const media = item.payload?.media?.length ?? 0;
  return (
    <article className="rehearsal-post">
      {invalid !== undefined && (
        <p>
          <Badge tone="bad">{texts.wouldDrop}</Badge> {item.source_ref}: {invalid}
        </p>
      )}
      {text && <p className="rehearsal-text">{text}</p>}
      <p className="rehearsal-about">
        {media > 0 && <Badge tone="idle">{texts.media(media)}</Badge>}
        {item.tags?.map((tag) => (
          <Badge key={tag} tone="idle">
            #{tag}
          </Badge>
        ))}
      </p>
      {refusals.length > 0 && (
        <p>
          <Badge tone="warn">{texts.channelRefuses}</Badge> {refusals.join("; ")}
        </p>
      )}
    </article>
  );
}
