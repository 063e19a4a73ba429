import { type RecentPost, useRecentPosts } from "../../api/index.ts";
import { Link } from "../../router/index.ts";
import { usePageTexts } from "../../texts/index.ts";
import { Card, Fault, Moment, Skeleton } from "../../ui/index.ts";
import { en } from "./attention/texts.en.ts";
import { ru } from "./attention/texts.ru.ts";
import { sharesOf } from "./shares.ts";
import "./posts-card.css";

const shown = 8;

/** One line a post: how many of its channels have it. */
export function PostsCard({ workspaceId }: { workspaceId: string }) {
  const texts = usePageTexts({ ru, en });
  const { items, error, refetch } = useRecentPosts(workspaceId, shown);
  return (
    <Card title={texts.posts} aside={<Link href="/posts">{texts.allPosts}</Link>}>
      {error && !items && <Fault error={error} onRetry={refetch} />}
      {!items && !error && <Skeleton height={180} />}
      {items?.length === 0 && <p className="recent-none">{texts.noPosts}</p>}
      {items && items.length > 0 && (
        <ol className="recent">
          {items.slice(0, shown).map((post) => (
            <PostRow key={post.id} post={post} />
          ))}
        </ol>
      )}
    </Card>
  );
}

function PostRow({ post }: { post: RecentPost }) {
  const texts = usePageTexts({ ru, en });
  const { sent, failed, waiting, all } = sharesOf(post.deliveries);
  return (
    <li>
      <Link href={`/posts/${post.id}`} className="recent-text">
        {post.snippet || texts.textless}
      </Link>
      <span className="recent-bar" aria-hidden="true">
        {sent > 0 && <i className="sent" style={{ flexGrow: sent }} />}
        {waiting > 0 && <i className="queued" style={{ flexGrow: waiting }} />}
        {failed > 0 && <i className="failed" style={{ flexGrow: failed }} />}
      </span>
      <span className={failed > 0 ? "recent-count bad" : "recent-count"}>
        {all === 0 ? texts.noChannel : texts.delivered(sent, all)}
      </span>
      <span className="recent-time">
        <Moment at={post.created_at} />
      </span>
    </li>
  );
}
