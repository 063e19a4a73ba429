import type { ChatView, MessageView } from "../shared/index.ts";
import type { Board, Pin } from "./model.ts";
import type { Pinterest } from "./twin.ts";

/** A board as a chat of the list. */
export function boardView({ store }: Pinterest, board: Board): ChatView {
  const pins = store.pinsOf(board.id);
  const [last] = pins;
  const owner = store.account(board.accountId);
  return {
    provider: "pinterest",
    id: board.id,
    title: board.name,
    kind: "channel",
    ...(owner && { username: owner.username }),
    writable: false,
    ...(last && { last: { text: last.title ?? last.description ?? "Pin", at: last.createdAt } }),
    count: pins.length,
  };
}

export function pinView({ store }: Pinterest, pin: Pin): MessageView {
  return {
    id: pin.id,
    at: pin.createdAt,
    author: { name: store.account(pin.accountId)?.username ?? "", bot: true, mine: false },
    text: [pin.title, pin.description].filter((each) => each).join("\n"),
    marks: pin.title ? [{ type: "bold", offset: 0, length: pin.title.length }] : [],
    media: [{ kind: "photo", url: pin.blob.path, width: pin.width, height: pin.height, size: pin.blob.size }],
    buttons: [],
    ...(pin.link !== null && { linkPreview: { url: pin.link } }),
    edited: false,
    silent: false,
    protected: false,
  };
}

export function tellOfBoard(pinterest: Pinterest, board: Board): void {
  pinterest.context.bus.publish({ type: "chat", provider: "pinterest", chat: boardView(pinterest, board) });
}

export function tellOfPin(pinterest: Pinterest, pin: Pin): void {
  const board = pinterest.store.board(pin.boardId);
  if (board) tellOfBoard(pinterest, board);
  const message = pinView(pinterest, pin);
  pinterest.context.bus.publish({ type: "message", provider: "pinterest", chatId: pin.boardId, message });
}

/** A board's name as it is in its URL. */
export const slugOf = ({ name }: Board): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
