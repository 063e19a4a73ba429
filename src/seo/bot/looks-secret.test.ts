import { expect, it } from "vitest";
import { looksSecret } from "./looks-secret.ts";

it.each([
  ["7700000001:AAH5y4hTq9-x0_abcdefghijklmnopqrstu", true],
  ["вот токен 7700000001:AAH5y4hTq9-x0_abcdefghijklmnopqrstu", true],
  ["abcd EFGH 1234 ijkl MNOP 5678", true],
  [" abcd efgh ijkl mnop qrst uv1x\n", true],
  ["https://oauth.vk.com/blank.html#access_token=vk1.a.abcdefghijklmnopqrstuvwx&expires_in=0", true],
  ["make your site look very good", false],
  ["кухни на заказ в Казани", false],
  ["12:30 встреча, 10:00-18:00", false],
  ["https://t.me/lavka", false],
])("%s is a secret by its form: %s", (text, secret) => {
  expect(looksSecret(text)).toBe(secret);
});
