import { Bot, Megaphone, Users } from "lucide-react";
import { memo } from "react";
import { fullTime, listTime } from "../model/format.ts";
import { hashOf } from "../route.ts";
import { useSettings } from "../settings.tsx";
import type { ChatView } from "../types.ts";
import { Avatar } from "./Avatar.tsx";

interface Props {
  readonly chat: ChatView;
  readonly unread: number;
  readonly typing: boolean;
  readonly open: boolean;
  readonly now: number;
}

const kindIcons = { channel: Megaphone, group: Users, dialog: Bot };

export const ChatRow = memo(function ChatRow({ chat, unread, typing, open, now }: Props) {
  const { texts, language } = useSettings();
  const KindIcon = kindIcons[chat.kind];
  return (
    <a
      className="chat-row"
      href={hashOf(chat.provider, chat.id)}
      data-provider={chat.provider}
      aria-current={open ? "page" : undefined}
    >
      <Avatar title={chat.title} provider={chat.provider} size="l" />
      <span className="chat-row-line">
        <KindIcon size={14} role="img" aria-label={texts.kinds[chat.kind]} />
        <span className="chat-row-title">{chat.title}</span>
        {chat.last && (
          <time dateTime={new Date(chat.last.at).toISOString()} title={fullTime(chat.last.at, language)}>
            {listTime(chat.last.at, now, language)}
          </time>
        )}
      </span>
      <span className="chat-row-line">
        {typing ? (
          <span className="chat-row-snippet typing">{texts.typing}</span>
        ) : (
          <span className="chat-row-snippet">
            {chat.last ? chat.last.text || texts.media.other : texts.noMessages}
          </span>
        )}
        {unread > 0 && (
          <span className="unread" title={texts.unread(unread)}>
            <span aria-hidden>{unread > 999 ? "999+" : unread}</span>
            <span className="visually-hidden">{texts.unread(unread)}</span>
          </span>
        )}
      </span>
    </a>
  );
});
