const bytesPerPost = 300;
const filler =
  "Сегодня в городе открыли новый мост: движение по нему пустят с понедельника, пешеходы пройдут уже сегодня вечером. ";

/** A post of exactly 300 bytes that no other number gives. */
export function postText(number: number): string {
  const start = Buffer.from(`№ ${number}. ${filler.repeat(3)}`).subarray(0, bytesPerPost);
  const whole = start.toString("utf8").replace(/\uFFFD+$/, "");
  return whole + ".".repeat(bytesPerPost - Buffer.byteLength(whole));
}
