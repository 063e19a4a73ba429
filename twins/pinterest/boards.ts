import { z } from "zod";
import { ApiError, refuse } from "./errors.ts";
import { limits } from "./limits.ts";
import type { Board } from "./model.ts";
import { number, paged, read } from "./read.ts";
import type { Call, Pinterest, Reply } from "./twin.ts";
import { tellOfBoard } from "./views.ts";
import { wireBoard, wirePin } from "./wire.ts";

const privacy = z.enum(["PUBLIC", "PROTECTED", "SECRET"]);
const name = z.string().trim().min(1).max(limits.boardName);
const description = z.string().max(limits.boardDescription).nullable();
const boardBody = z.object({
  name,
  description: description.default(null),
  privacy: privacy.default("PUBLIC"),
});
const boardPatch = z.object({ name, description, privacy }).partial();
const sectionBody = z.object({ name });

/** The board, if it is the caller's: an unknown one and a foreign one have different errors. */
export function ownBoard(
  { store }: Pinterest,
  { account }: Pick<Call, "account">,
  id: string | undefined,
): Board {
  const board = store.board(read(z.object({ board_id: number }), { board_id: id }).board_id);
  if (!board) throw refuse.noBoard();
  if (board.accountId !== account.id) throw refuse.forbidden();
  return board;
}

export function listBoards(pinterest: Pinterest, { account, query }: Call): Reply {
  const wanted = read(z.object({ privacy: privacy.optional() }), { privacy: query.privacy }).privacy;
  const own = pinterest.store.world.boards.filter(
    (board) => board.accountId === account.id && (wanted === undefined || board.privacy === wanted),
  );
  const { items, bookmark } = paged(own, query);
  return { body: { items: items.map((board) => wireBoard(pinterest, board)), bookmark } };
}

export function createBoard(pinterest: Pinterest, { account, body }: Call): Reply {
  const { store, context } = pinterest;
  const fields = read(boardBody, body);
  checkName(pinterest, account.id, fields.name);
  const board: Board = {
    id: store.newId(),
    accountId: account.id,
    ...fields,
    createdAt: context.clock.now(),
    sections: [],
  };
  store.world.boards.push(board);
  store.changed();
  tellOfBoard(pinterest, board);
  return { status: 201, body: wireBoard(pinterest, board) };
}

export function getBoard(pinterest: Pinterest, call: Call): Reply {
  return { body: wireBoard(pinterest, ownBoard(pinterest, call, call.params.board_id)) };
}

export function patchBoard(pinterest: Pinterest, call: Call): Reply {
  const board = ownBoard(pinterest, call, call.params.board_id);
  const change = read(boardPatch, call.body);
  if (change.name !== undefined) checkName(pinterest, board.accountId, change.name, board);
  Object.assign(board, change);
  pinterest.store.changed();
  tellOfBoard(pinterest, board);
  return { body: wireBoard(pinterest, board) };
}

/** Deletes a board with its Pins. */
export function deleteBoard(pinterest: Pinterest, call: Call): Reply {
  const { store } = pinterest;
  const board = ownBoard(pinterest, call, call.params.board_id);
  store.world.boards = store.world.boards.filter((each) => each !== board);
  store.world.pins = store.world.pins.filter(({ boardId }) => boardId !== board.id);
  store.changed();
  return { status: 204, body: "" };
}

export function boardPins(pinterest: Pinterest, call: Call): Reply {
  const board = ownBoard(pinterest, call, call.params.board_id);
  const { items, bookmark } = paged(pinterest.store.pinsOf(board.id), call.query);
  return { body: { items: items.map((pin) => wirePin(pinterest, pin, call.account.id)), bookmark } };
}

export function listSections(pinterest: Pinterest, call: Call): Reply {
  return { body: paged(ownBoard(pinterest, call, call.params.board_id).sections, call.query) };
}

export function createSection(pinterest: Pinterest, call: Call): Reply {
  const board = ownBoard(pinterest, call, call.params.board_id);
  const fields = read(sectionBody, call.body);
  if (board.sections.some((section) => section.name === fields.name)) {
    throw new ApiError(409, 409, "Board section conflict.");
  }
  const section = { id: pinterest.store.newId(), name: fields.name };
  board.sections.push(section);
  pinterest.store.changed();
  return { status: 201, body: section };
}

function checkName({ store }: Pinterest, accountId: string, wanted: string, self?: Board): void {
  const twice = store.world.boards.some(
    (board) =>
      board !== self && board.accountId === accountId && board.name.toLowerCase() === wanted.toLowerCase(),
  );
  if (twice) throw new ApiError(400, 58, "Sorry! You already have a board with this name.");
}
