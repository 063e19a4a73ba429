/** A refusal in Telegram's words: parameters are taken out of the text, as client libraries do. */
export class RpcError extends Error {
  readonly code: number;
  readonly text: string;
  readonly seconds: number | undefined;

  constructor(code: number, text: string, seconds?: number) {
    super(text);
    this.code = code;
    this.text = text;
    this.seconds = seconds;
  }

  get body(): { error: { code: number; text: string; seconds?: number } } {
    const { code, text, seconds } = this;
    return { error: { code, text, ...(seconds !== undefined && { seconds }) } };
  }
}

export const bad = (text: string) => new RpcError(400, text);
export const forbidden = (text: string) => new RpcError(403, text);
export const unauthorized = (text: string) => new RpcError(401, text);
/** Whole seconds, at least one: Telegram rounds up. */
export const wait = (text: "FLOOD_WAIT_%d" | "SLOWMODE_WAIT_%d", ms: number) =>
  new RpcError(420, text, Math.max(1, Math.ceil(ms / 1000)));
