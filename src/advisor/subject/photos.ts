const blindness: readonly RegExp[] = [
  /не (вижу|могу (видеть|увидеть|посмотреть|просматривать|анализировать|открыть)) (\S+ ){0,3}(фото|изображени|картин|снимк)/i,
  /(?<!(?:на|по) )(фото|изображени|картинк|снимок)\S{0,20} (\S+ ){0,3}(не (загрузил|прикреп|вид(но|на|ен)|доступ))/i,
  /(can(no|')?t|unable to) (see|view|analy[sz]e|process) (\S+ ){0,3}(image|photo|picture)/i,
];

export function mentionsPhoto(text: string): boolean {
  return /(?<![а-яё])(фото|снимок|снимк|фотк)|\b(photo|picture)/i.test(text);
}

export function deniesSight(answer: string): boolean {
  return blindness.some((phrase) => phrase.test(answer));
}
