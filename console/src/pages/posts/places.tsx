import { ExternalLink } from "lucide-react";
import { Link } from "../../router/index.ts";
import { Card, Moment, Notice, ZonedTime } from "../../ui/index.ts";
import { ChannelLabel } from "./channel-label.tsx";
import type { Explained } from "./shapes.ts";
import { StageBadge } from "./stage-badge.tsx";
import { isFailed } from "./status.ts";
import { usePostsTexts } from "./use-posts-texts.ts";
import { WhyWords } from "./why-words.tsx";

interface Props {
  readonly items: readonly Explained[];
  readonly unrouted: { readonly channels: number; readonly tags: readonly string[] } | null;
  readonly zoneOf: (channelId: string) => string;
}

/** Every channel of a post: what needs a person stands first. */
export function Places({ items, unrouted, zoneOf }: Props) {
  const texts = usePostsTexts();
  const sorted = [...items].sort((a, b) => Number(isFailed(b)) - Number(isFailed(a)));
  return (
    <Card title={texts.post.places} className="places">
      {unrouted && (
        <Notice tone="warn" title={texts.post.noPlaces}>
          {texts.post.unrouted(unrouted.tags, unrouted.channels)}
        </Notice>
      )}
      <ul>
        {sorted.map((item) => (
          <li key={item.id} className="place">
            <div className="place-head">
              <ChannelLabel channel={item.channel} />
              <StageBadge delivery={item} />
            </div>
            <div className="place-body">
              <Standing item={item} zone={zoneOf(item.channel.id)} />
              <Losses losses={[...item.simplified, ...item.losses]} />
            </div>
            <div className="place-links">
              {item.url && (
                <a href={item.url} target="_blank" rel="noopener noreferrer">
                  {texts.delivery.openThere} <ExternalLink aria-hidden="true" className="inline-icon" />
                </a>
              )}
              <Link href={`/deliveries/${item.id}`}>{texts.delivery.details}</Link>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Standing({ item, zone }: { item: Explained; zone: string }) {
  const { delivery: texts } = usePostsTexts();
  if (item.withdrawn_at)
    return (
      <span>
        {texts.withdrawnAt}: <Moment at={item.withdrawn_at} />
      </span>
    );
  if (item.status === "sent" && item.sent_at)
    return (
      <span>
        {texts.sentAt}: <ZonedTime at={item.sent_at} zone={zone} />
      </span>
    );
  return (
    <>
      <WhyWords delivery={item} zone={zone} />
      {item.why.expected_at && (
        <span>
          {texts.expected}: <ZonedTime at={item.why.expected_at} zone={zone} />
        </span>
      )}
    </>
  );
}

/** What readers there see otherwise than it was given. */
export function Losses({ losses }: { losses: readonly { code: string; message: string }[] }) {
  const texts = usePostsTexts();
  if (losses.length === 0) return null;
  return (
    <span className="losses">
      {texts.delivery.losses}: {losses.map(({ code, message }) => texts.losses[code] ?? message).join("; ")}
    </span>
  );
}
