/** One open chat: its header, its messages, and where the person writes. */
import { ArrowLeft } from "lucide-react";
import { useCallback, useState } from "react";
import type { Room } from "../model/state.ts";
import { leaveChat } from "../route.ts";
import { useSettings } from "../settings.tsx";
import type { ChatView, MessageView } from "../types.ts";
import { useActions } from "../useActions.ts";
import { Avatar } from "./Avatar.tsx";
import { Composer } from "./Composer.tsx";
import { Keyboard } from "./Keyboard.tsx";
import { Messages } from "./Messages.tsx";
import { Notice } from "./Notice.tsx";
import { providerName } from "./ProviderBadge.tsx";
import { TypingDots } from "./TypingDots.tsx";

interface Props {
  readonly chat: ChatView;
  readonly room: Room | undefined;
  readonly typing: boolean;
  readonly draft: string | undefined;
  /** The bot's answer to a tap on its button. */
  readonly answer: string | undefined;
  readonly now: number;
  readonly loadOlder: () => void;
  readonly retry: () => void;
}

export function ChatPane({ chat, room, typing, draft, answer, now, loadOlder, retry }: Props) {
  const { texts } = useSettings();
  const [replyTo, setReplyTo] = useState<MessageView>();
  const { runCommand } = useActions(chat);
  const reply = useCallback((message: MessageView) => setReplyTo(message), []);
  const canReply = chat.writable && chat.provider === "max";
  const below = room?.messages.findLast(({ buttonsBelow }) => buttonsBelow);
  const empty = !room || room.messages.length === 0;
  return (
    <section className="chat" data-provider={chat.provider} data-kind={chat.kind} aria-label={chat.title}>
      <ChatHeader chat={chat} typing={typing} />
      {!empty ? (
        <Messages
          chat={chat}
          room={room}
          typing={typing}
          draft={draft}
          now={now}
          loadOlder={loadOlder}
          retry={retry}
          {...(canReply && { reply })}
        />
      ) : room?.status === "failed" ? (
        <Notice title={texts.messagesFailed} retry={retry} />
      ) : room?.status === "ready" ? (
        <Notice
          title={texts.noMessages}
          hint={texts.noMessagesHint}
          {...(chat.kind === "dialog" && runCommand && { start: () => runCommand("/start") })}
        />
      ) : (
        <Notice title={texts.loadingMessages} busy />
      )}
      {answer !== undefined && (
        <p className="press-answer" role="status">
          {answer}
        </p>
      )}
      {chat.writable && below && below.buttons.length > 0 && (
        <div className="keyboard-below">
          <Keyboard key={below.id} message={below} chat={chat} />
        </div>
      )}
      {chat.writable ? (
        <Composer chat={chat} replyTo={replyTo} forgetReply={() => setReplyTo(undefined)} />
      ) : (
        <p className="read-only">{texts.readOnly[chat.kind]}</p>
      )}
    </section>
  );
}

function ChatHeader({ chat, typing }: { chat: ChatView; typing: boolean }) {
  const { texts } = useSettings();
  const count = chat.kind === "channel" ? texts.posts(chat.count) : texts.messages(chat.count);
  const about = [providerName(chat.provider, texts), texts.kinds[chat.kind], count];
  return (
    <header className="chat-header">
      <button
        type="button"
        className="icon-button phone-only"
        onClick={leaveChat}
        aria-label={texts.back}
        title={texts.back}
      >
        <ArrowLeft size={22} />
      </button>
      <Avatar title={chat.title} provider={chat.provider} size="m" />
      <div className="chat-header-words">
        <h2>{chat.title}</h2>
        <p aria-live="polite">
          {typing ? (
            <span className="typing">
              <TypingDots /> {texts.typing}
            </span>
          ) : (
            about.join(" · ")
          )}
        </p>
      </div>
      {chat.username !== undefined && <span className="chat-header-username">@{chat.username}</span>}
    </header>
  );
}
