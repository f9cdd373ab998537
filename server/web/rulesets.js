/*
 * What the page has for each ruleset: drawing, animation, words and orders.
 */
import { get } from "./api.js";
import { halma } from "./halma.js";
import { racers } from "./racers.js";
import { snarl } from "./snarl.js";
import { tactics } from "./tactics.js";

export const faces = { tactics, halma, racers, snarl };
export const GUIDED = Object.keys(faces); /* guide.js has hints for these */

/* Rulesets that the server has and this page has no file for: they get a plain face.  Says whether
 * there are any. */
export async function learnRulesets() {
    const { rulesets: names } = await get("rulesets/names");
    const isNew = (name) => !Object.hasOwn(faces, name);
    if (!names.some(isNew)) {
        return false;
    }
    const [{ plainFace, plainTexts }, { rulesets }] = await Promise.all([import("./plain.js"), get("rulesets")]);
    for (const document of rulesets.filter(({ ruleset }) => isNew(ruleset))) {
        faces[document.ruleset] = plainFace(document);
        plainTexts(document);
    }
    return true;
}
