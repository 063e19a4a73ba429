import type { ru } from "./texts-ru.ts";

export const en: typeof ru = {
  alarm:
    "This may be life-threatening. Do not wait: call the nearest 24-hour veterinary clinic, say that you are coming, and set off.",
  clinics: {
    label: "24-hour veterinary clinics nearby",
    url: `https://www.google.com/maps/search/${encodeURIComponent("24 hour emergency vet")}`,
  },
  steps: {
    breathing: [
      "Open the mouth and pull the tongue forward; if you can see an object and it comes out easily, remove it, but do not push it deeper.",
      "Take the collar off, make sure there is fresh air and keep the neck straight.",
      "Not breathing: close the mouth and breathe into the nose, one breath every 3–5 seconds.",
    ],
    unconscious: [
      "Check for breathing: hold your hand to the nose and watch the chest.",
      "Lay it on its right side, straighten the neck, pull the tongue out, take the collar off.",
      "No breathing and no heartbeat: 30 chest compressions at two a second, then 2 breaths into the nose, and so on until the clinic.",
      "Do not give water or medicine.",
    ],
    seizure: [
      "Do not hold it down and keep your hands away from its mouth; move away everything it could hit.",
      "Note the time, film the seizure for the vet, dim the lights and keep quiet.",
      "If it lasts longer than 3 minutes or comes back, set off without waiting for it to end.",
    ],
    bleeding: [
      "Press a clean cloth on the wound and do not let go; when it is soaked, put another layer on top.",
      "Do not pull an object out of a wound.",
      "Blood in vomit, stool or urine: give no food and take a photo with you.",
    ],
    swallowed: [
      "Do not make it vomit: sharp and caustic things do damage a second time.",
      "Do not pull a thread out of the mouth or from under the tail.",
      "Give no food; take a similar object or its packaging with you.",
    ],
    poison: [
      "Take away what is left and bring the packaging: the vet needs to know what, how much and when.",
      "Do not make it vomit, and give nothing unless a vet says so.",
      "Poison on the coat: rinse it with warm water and do not let the pet lick itself; smoke or gas: carry it into fresh air.",
    ],
    injury: [
      "Move it as little as possible: carry it on a board or a stretched blanket.",
      "Blood: press a clean cloth on the wound. Do not push a bone or an eye back; cover it with a clean damp cloth.",
      "Even if it gets up and walks, internal injuries cannot be seen: have a vet see it now.",
    ],
    heat: [
      "Overheated: move it into the shade and wet its belly, paws and ears with cool, not icy, water.",
      "Burn: cool water for 10–15 minutes, no ointment. Electricity: switch it off first.",
      "Drowning: hold it head down for a few seconds to let the water out, then check breathing.",
    ],
    snake: [
      "Keep it still: carry it, with the bite below the heart.",
      "Do not cut, suck out the venom or tie the leg off.",
      "Remember what the snake looked like; do not catch it.",
    ],
    birth: [
      "Do not pull the newborn out yourself.",
      "Strong contractions for over half an hour without a birth, or a newborn visibly stuck: go to the clinic at once.",
      "Take the ones already born with you and keep them warm.",
    ],
    urine: [
      "Do not press on the belly and give no diuretics.",
      "Do not wait until morning: if no urine comes, it is a matter of hours, especially in male cats.",
      "Recall when it last passed urine and whether there was blood.",
    ],
    paralysis: [
      "Do not make it stand up; carry it on something hard and flat.",
      "Keep the back and neck still, and give no painkillers.",
    ],
    bloat: [
      "No food, no water, no painkillers, and do not massage the belly.",
      "In a dog, a swollen belly with unproductive retching looks like a twisted stomach: every minute counts.",
    ],
  },
};
