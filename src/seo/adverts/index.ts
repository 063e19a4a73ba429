/** Adverts: which texts look like one, and the marking that the law wants below them. */
export { looksLikeAdvert } from "./looks-like-advert.ts";
export { keepMarking, type Marking, markingLine, parseMarking, projectMarking } from "./marking.ts";
