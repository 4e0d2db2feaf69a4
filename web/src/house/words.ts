// What a house rule is called and what its values mean, in both languages; needed by the table form and the rules page.
import type { Locale } from "../i18n/index.svelte";
import { en } from "./en";
import type { HouseWords } from "./ru";
import { ru } from "./ru";

export const houseWords = (locale: Locale): HouseWords => ({ ru, en })[locale];
