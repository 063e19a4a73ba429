/** The messages of a chat by days, following the newest unless the person scrolled up to read. */
import { ArrowDown, LoaderCircle } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { dayName } from "../model/format.ts";
import type { Room } from "../model/state.ts";
import { type PostMedia, timelineOf } from "../model/timeline.ts";
import { useSettings } from "../settings.tsx";
import type { ChatView, MessageView } from "../types.ts";
import { Lightbox } from "./Lightbox.tsx";
import { PostView } from "./PostView.tsx";
import { TypingDots } from "./TypingDots.tsx";
import { useFollow } from "./useFollow.ts";

interface Props {
  readonly chat: ChatView;
  readonly room: Room;
  readonly typing: boolean;
  readonly draft: string | undefined;
  readonly now: number;
  readonly loadOlder: () => void;
  readonly retry: () => void;
  /** Absent where a message cannot be answered from here. */
  readonly reply?: (message: MessageView) => void;
}

interface Shown {
  readonly items: readonly PostMedia[];
  readonly index: number;
}

export function Messages({ chat, room, typing, draft, now, loadOlder, retry, reply }: Props) {
  const { texts, language } = useSettings();
  const days = useMemo(() => timelineOf(room.messages), [room.messages]);
  const { box, content, away, fresh, toNewest } = useFollow(room.messages, loadOlder);
  const [shown, setShown] = useState<Shown>();
  const show = useCallback((items: readonly PostMedia[], index: number) => setShown({ items, index }), []);

  return (
    <div className="messages-frame">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it, and not every browser focuses a scroller by itself */}
      <div className="messages" ref={box} role="log" aria-label={chat.title} tabIndex={0} data-away={away}>
        <div className="messages-content" ref={content}>
          {room.status === "failed" && (
            <p className="older">
              {texts.messagesFailed}
              <button type="button" className="plain-button" onClick={retry}>
                {texts.retry}
              </button>
            </p>
          )}
          {room.status !== "failed" && room.hasOlder && (
            <p className="older">
              <LoaderCircle className="spin" size={18} aria-hidden />
              <span className="visually-hidden">{texts.loadingMessages}</span>
            </p>
          )}
          {days.map((day) => (
            <section key={day.at} className="day">
              <h3 className="day-name">{dayName(day.at, now, texts, language)}</h3>
              {day.posts.map((post) => (
                <PostView key={post.key} post={post} chat={chat} show={show} {...(reply && { reply })} />
              ))}
            </section>
          ))}
          {draft ? (
            <p className="draft-bubble" aria-hidden>
              {draft}
            </p>
          ) : (
            typing && (
              <p className="typing-bubble" aria-hidden>
                <TypingDots />
              </p>
            )
          )}
        </div>
      </div>
      <button
        type="button"
        className="to-newest"
        data-shown={away}
        tabIndex={away ? 0 : -1}
        aria-hidden={!away}
        onClick={toNewest}
        aria-label={fresh > 0 ? texts.newMessages(fresh) : texts.toNewest}
      >
        {fresh > 0 && <span>{texts.newMessages(fresh)}</span>}
        <ArrowDown size={20} aria-hidden />
      </button>
      {shown && <Lightbox items={shown.items} first={shown.index} close={() => setShown(undefined)} />}
    </div>
  );
}
