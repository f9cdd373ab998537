/*
 * A screen whose module is loaded when it is opened.
 */
import { h, put } from "./dom.js";
import { text } from "./language.js";

/* Whether the server has another version of the page by now, and this one was not just loaded for that reason. */
async function isOutdated() {
    try {
        const [own] = /assets\/\w+/.exec(import.meta.url);
        const page = await fetch(document.baseURI, { cache: "no-store" });
        const isOther = page.ok && !(await page.text()).includes(own);
        return isOther && history.state?.isReloaded !== true;
    } catch {
        return false;
    }
}

export class Later {
    constructor(load, make) {
        Object.assign(this, { load, make });
        this.element = h("div", {}, h("p", { class: "dim" }, text.loading));
    }

    async open() {
        let module;
        try {
            module = await this.load();
        } catch {
            await this.fail();
            return;
        }
        if (!this.isClosed) {
            this.screen = this.make(module);
            put(this.element, this.screen.element);
            await this.screen.open?.();
        }
    }

    async fail() {
        put(this.element, h("p", { class: "panel" }, text.noAnswer));
        if ((await isOutdated()) && !this.isClosed) {
            history.replaceState({ isReloaded: true }, "");
            location.reload();
        }
    }

    close() {
        this.isClosed = true;
        this.screen?.close();
    }
}
