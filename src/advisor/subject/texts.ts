import type { Subject } from "./subject.ts";

export const petTexts: Subject["texts"] = {
  ru: {
    photoAlone: "Посмотрите, пожалуйста, что на фото.",
    audioAlone: "Вопрос задан голосом, он в записи.",
    alarm:
      "Внимание: по описанию это может быть опасно для жизни. Не ждите, позвоните в ближайшую ветеринарную клинику и выезжайте.",
    upsell: {
      title: "Тариф Pro",
      text: "В Pro нет дневного лимита, можно присылать фото и голос, а советник помнит Вашего питомца и прошлые обращения.",
      cta: "Открыть Pro",
    },
    photosArePro: "Разбор фотографий доступен в тарифе Pro.",
  },
  en: {
    photoAlone: "Please look at what is in the photo.",
    audioAlone: "The question is spoken; it is in the recording.",
    alarm:
      "Attention: by your description this may be dangerous for life. Do not wait: call the nearest veterinary clinic and set off.",
    upsell: {
      title: "The Pro plan",
      text: "Pro has no daily limit, takes photos and voice, and remembers your pet and what you asked before.",
      cta: "Get Pro",
    },
    photosArePro: "Photos are analysed on the Pro plan.",
  },
};
