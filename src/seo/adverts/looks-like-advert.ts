/** Whether readers would take a text for an advert: it names a price, offers a discount, or calls to buy, order or come. */
export function looksLikeAdvert(text: string): boolean {
  return signs.some((sign) => sign.test(text));
}

const signs: readonly RegExp[] = [
  /\d[\d\s]{0,14}(?:₽|(?:руб|р\.|тыс\. ?руб)(?![\p{L}]))/iu,
  /\d[\d\s]{0,14}руб(?:л[еяю]й?)?/iu,
  // JavaScript's `\b` knows Latin letters only.
  /(?<!\p{L})(?:скидк|распродаж|промокод|акци[яию](?!\p{L})|спецпредложен|выгодн\p{L}{1,3} цен)/iu,
  /(?<!\p{L})(?:(?:за)?купите|покупайте|закажите|заказывайте|оформите|оформляйте|приобретайте|приобретите)/iu,
  /(?<!\p{L})(?:звоните|позвоните|напишите|пишите|приходите|заходите|приезжайте|записывайтесь|запишитесь)/iu,
  /(?<!\p{L})(?:забронируйте|бронируйте|переходите|оставьте заявку|оставляйте заявк|обращайтесь|жд[её]м вас)/iu,
];
