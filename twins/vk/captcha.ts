import { ApiError, errorNames } from "./errors.ts";
import { lifetimes } from "./limits.ts";
import type { Token } from "./model.ts";
import type { Params } from "./params.ts";
import type { Vk } from "./twin.ts";

const digits = 5;

/** A write with a captcha must have the right answer; one without is stopped while the token is under suspicion. */
export function demandCaptcha(vk: Vk, token: Token, params: Params): void {
  const sid = params.text("captcha_sid");
  if (sid !== undefined) {
    if (!solved(vk, token, sid, params.text("captcha_key") ?? "")) throw captchaNeeded(vk, token.token);
    token.captchas = Math.max(0, token.captchas - 1);
    vk.store.changed();
    return;
  }
  if (token.captchas > 0) throw captchaNeeded(vk, token.token);
}

/** Error 14 with a picture that a person can read. */
export function captchaNeeded({ store, context }: Vk, token: string): ApiError {
  const sid = String(100_000_000_000 + store.newId());
  const answer = String(Number.parseInt(store.newKey(8), 16))
    .padStart(digits, "0")
    .slice(-digits);
  const expiresAt = context.clock.now() + lifetimes.captchaMs;
  store.world.captchas.push({ sid, token, answer, expiresAt, used: false });
  store.changed();
  return new ApiError(14, errorNames[14] ?? "", {
    captcha_sid: sid,
    captcha_img: `${context.options.baseUrl}/vk/captcha.php?sid=${sid}`,
    captcha_ts: context.clock.now() / 1000,
    captcha_attempt: 1,
    is_sound_captcha_available: false,
  });
}

/** Each picture is valid for one attempt. */
function solved({ store, context }: Vk, token: Token, sid: string, key: string): boolean {
  const captcha = store.world.captchas.find((each) => each.sid === sid && each.token === token.token);
  if (!captcha || captcha.used || captcha.expiresAt <= context.clock.now()) return false;
  captcha.used = true;
  return captcha.answer === key.trim();
}
