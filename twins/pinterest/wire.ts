import type { Board, Pin } from "./model.ts";
import type { Pinterest } from "./twin.ts";

const time = (at: number) => new Date(at).toISOString().slice(0, 19);

export function wireBoard({ store, context }: Pinterest, board: Board) {
  const pins = store.pinsOf(board.id);
  const images = pins.map(({ blob }) => `${context.options.baseUrl}${blob.path}`);
  return {
    id: board.id,
    name: board.name,
    description: board.description,
    privacy: board.privacy,
    owner: { username: store.account(board.accountId)?.username },
    pin_count: pins.length,
    follower_count: 0,
    collaborator_count: 0,
    created_at: time(board.createdAt),
    board_pins_modified_at: time(pins[0]?.createdAt ?? board.createdAt),
    media: { image_cover_url: images[0] ?? null, pin_thumbnail_urls: images.slice(1, 6) },
  };
}

export function wirePin({ store, context }: Pinterest, pin: Pin, viewer: string) {
  const url = `${context.options.baseUrl}${pin.blob.path}`;
  const scaled = (width: number) => ({ width, height: Math.round((width * pin.height) / pin.width), url });
  return {
    id: pin.id,
    created_at: time(pin.createdAt),
    link: pin.link,
    title: pin.title,
    description: pin.description,
    alt_text: pin.altText,
    dominant_color: pin.colour,
    board_id: pin.boardId,
    board_section_id: pin.sectionId,
    board_owner: { username: store.account(pin.accountId)?.username },
    is_owner: pin.accountId === viewer,
    is_standard: true,
    has_been_promoted: false,
    creative_type: "REGULAR",
    parent_pin_id: null,
    pin_metrics: null,
    media: {
      media_type: "image",
      images: {
        "150x150": { width: 150, height: 150, url },
        "400x300": { width: 400, height: 300, url },
        "600x": scaled(Math.min(600, pin.width)),
        "1200x": scaled(Math.min(1200, pin.width)),
      },
    },
  };
}
