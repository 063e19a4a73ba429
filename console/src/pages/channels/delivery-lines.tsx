import type { PagedList } from "../../api/index.ts";
import { Link } from "../../router/index.ts";
import { useTexts } from "../../texts/index.ts";
import { Badge, Button, Fault, Moment, Skeleton, type Tone } from "../../ui/index.ts";
import type { Delivery } from "./shapes.ts";
import { useWords } from "./use-words.ts";

const tones: Readonly<Record<string, Tone>> = {
  sent: "good",
  retry: "warn",
  sending: "busy",
  claimed: "busy",
  failed_permanent: "bad",
  dead: "bad",
};

export function DeliveryLines({ list, empty }: { list: PagedList<Delivery>; empty: string }) {
  const texts = useWords();
  const { common, overview } = useTexts();
  if (list.error && !list.items) return <Fault error={list.error} onRetry={list.refetch} />;
  if (!list.items) return <Skeleton height={96} />;
  if (list.items.length === 0) return <p className="soft">{empty}</p>;
  const names: Readonly<Record<string, string>> = {
    ...overview.status,
    claimed: overview.status.sending,
    failed_permanent: overview.status.failed,
  };
  return (
    <>
      <ul className="delivery-lines">
        {list.items.map(({ id, message_id, snippet, status, held, error, sent_at, updated_at }) => (
          <li key={id}>
            <div>
              <Link href={`/posts/${message_id}`}>{snippet || texts.noText}</Link>
              {(held ?? error) && <small>{held ?? error?.message}</small>}
            </div>
            <Badge tone={tones[status] ?? "idle"}>{names[status] ?? status}</Badge>
            <Link className="soft" href={`/deliveries/${id}`} aria-label={texts.deliveryOf(snippet)}>
              <Moment at={sent_at ?? updated_at} />
            </Link>
          </li>
        ))}
      </ul>
      {list.hasMore && (
        <Button look="quiet" busy={list.isLoadingMore} onClick={list.loadMore}>
          {common.more}
        </Button>
      )}
    </>
  );
}
