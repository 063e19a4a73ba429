/** One post as a reader sees it: a bubble, an album, or a sticker, with its buttons. */
import { Reply } from "lucide-react";
import { memo } from "react";
import type { Post, PostMedia } from "../model/timeline.ts";
import { useSettings } from "../settings.tsx";
import type { ChatView, MediaView, MessageView } from "../types.ts";
import { useActions } from "../useActions.ts";
import { Album } from "./Album.tsx";
import { Attachment } from "./Attachment.tsx";
import { Avatar } from "./Avatar.tsx";
import { Keyboard } from "./Keyboard.tsx";
import { LinkPreview } from "./LinkPreview.tsx";
import { Meta } from "./Meta.tsx";
import { ReplyLine } from "./ReplyLine.tsx";
import { RichText } from "./RichText.tsx";
import { useMosaic } from "./useMosaic.ts";

interface Props {
  readonly post: Post;
  readonly chat: ChatView;
  readonly show: (items: readonly PostMedia[], index: number) => void;
  readonly reply?: (message: MessageView) => void;
}

export const PostView = memo(function PostView({ post, chat, show, reply }: Props) {
  const { texts } = useSettings();
  const { head, caption } = post;
  const pictures = post.media.filter(({ view }) => isPicture(view));
  const attachments = post.media.filter(({ view }) => !isPicture(view));
  const mosaic = useMosaic(pictures);
  const { runCommand } = useActions(chat);

  const named = chat.kind === "group" && !head.author.mine && !post.follows;
  const bare = caption.text === "" && !caption.linkPreview;
  const shape = shapeOf(post, pictures, attachments, bare);
  const meta = <Meta messages={post.messages} over={shape === "picture"} />;
  const text = caption.text !== "" && (
    <RichText text={caption.text} marks={caption.marks} {...(runCommand && { runCommand })} />
  );
  const words = (
    <div className="post-words" data-bare={bare}>
      {text}
      {caption.linkPreview && <LinkPreview url={caption.linkPreview.url} />}
      {meta}
    </div>
  );
  const album = pictures.length > 0 && <Album items={pictures} mosaic={mosaic} show={show} />;

  return (
    <article
      className="post"
      id={domId(head.id)}
      data-mine={head.author.mine}
      data-follows={post.follows}
      data-followed={post.followed}
      aria-label={head.author.mine ? texts.you : head.author.name}
    >
      {chat.kind === "group" && !head.author.mine && (
        <span className="post-face">{!post.followed && <Avatar title={head.author.name} size="s" />}</span>
      )}
      <div className="post-column" style={pictures.length > 0 ? { width: mosaic.width } : undefined}>
        <div className="bubble" data-shape={shape}>
          {named && (
            <p className="post-author">
              {head.author.name}
              {head.author.bot && <small>{texts.bot}</small>}
            </p>
          )}
          {head.replyTo && <ReplyLine reply={head.replyTo} />}
          {head.captionAboveMedia && album ? (
            <>
              {words}
              {album}
            </>
          ) : (
            <>
              {album}
              {attachments.map(({ key, view }) => (
                <Attachment key={key} media={view} />
              ))}
              {shape === "picture" || shape === "sticker" ? meta : words}
            </>
          )}
        </div>
        {post.messages.map(
          (message) =>
            message.buttons.length > 0 &&
            !message.buttonsBelow && <Keyboard key={message.id} message={message} chat={chat} />,
        )}
      </div>
      {reply && (
        <button
          type="button"
          className="icon-button post-reply"
          onClick={() => reply(head)}
          aria-label={texts.reply}
          title={texts.reply}
        >
          <Reply size={18} />
        </button>
      )}
    </article>
  );
});

/** Where a reply leads. */
export function domId(messageId: string): string {
  return `message-${messageId}`;
}

type Shape = "words" | "picture" | "captioned" | "sticker";

function shapeOf(
  post: Post,
  pictures: readonly PostMedia[],
  attachments: readonly PostMedia[],
  bare: boolean,
): Shape {
  if (bare && post.media.length === 1 && post.media[0]?.view.kind === "sticker") return "sticker";
  if (pictures.length === 0) return "words";
  return bare && attachments.length === 0 ? "picture" : "captioned";
}

function isPicture({ kind }: MediaView): boolean {
  return kind === "photo" || kind === "video" || kind === "animation";
}
