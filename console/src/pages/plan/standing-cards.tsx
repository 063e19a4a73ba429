import { type ReactNode, useState } from "react";
import { Link } from "../../router/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { Badge, Card, Moment, Platform } from "../../ui/index.ts";
import { reasonWords } from "./entry-words.ts";
import type { Plan, Stopped } from "./shapes.ts";
import { en } from "./texts.en.ts";
import { ru } from "./texts.ru.ts";

const most = 5;

/** What does not move by itself: stopped posts and held ones, each with its reason. */
export function StandingCards({ plan: { stopped, held, counts } }: { plan: Plan }) {
  const texts = usePageTexts({ ru, en });
  if (stopped.length + held.length === 0) return null;
  return (
    <div className="standing">
      {stopped.length > 0 && (
        <Card title={texts.stopped} aside={texts.count(counts.stopped)}>
          <p className="soft">{texts.stoppedHint}</p>
          <Standing
            all={counts.stopped}
            rows={stopped.map((post) => ({
              post,
              why: <Badge tone="bad">{reasonWords(post.reason, texts)}</Badge>,
            }))}
          />
        </Card>
      )}
      {held.length > 0 && (
        <Card title={texts.held} aside={texts.count(counts.held)}>
          <p className="soft">{texts.heldHint}</p>
          <Standing
            all={counts.held}
            rows={held.map((post) => ({
              post,
              why: (
                <>
                  <Badge tone="warn">{post.hold_reason}</Badge>{" "}
                  <span className="soft">
                    {texts.heldSince} <Moment at={post.held_at} />
                  </span>
                </>
              ),
            }))}
          />
        </Card>
      )}
    </div>
  );
}

interface Row {
  readonly post: Pick<Stopped, "id" | "snippet" | "channel">;
  readonly why: ReactNode;
}

function Standing({ rows, all }: { rows: readonly Row[]; all: number }) {
  const texts = usePageTexts({ ru, en });
  const [whole, setWhole] = useState(false);
  const shown = whole ? rows : rows.slice(0, most);
  return (
    <>
      <ul className="standing-list">
        {shown.map(({ post: { id, snippet, channel }, why }) => (
          <li key={id}>
            <p className="standing-text">
              <Link href={`/deliveries/${id}`}>{snippet || texts.noText}</Link>
            </p>
            <p className="standing-why">
              <Platform name={channel.platform} /> {channel.title ?? channel.target} {why}
            </p>
          </li>
        ))}
      </ul>
      {shown.length < rows.length && (
        <button type="button" className="cell-more" onClick={() => setWhole(true)}>
          {texts.showAll(rows.length)}
        </button>
      )}
      {whole && rows.length < all && <p className="soft">{texts.shownOf(rows.length, all)}</p>}
    </>
  );
}
