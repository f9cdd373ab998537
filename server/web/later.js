/*
 * A screen whose module is loaded when it is opened.
 */
import { h, put } from "./dom.js";
import { text } from "./language.js";

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
            put(this.element, h("p", { class: "panel" }, text.lobby.cannotLoad));
            return;
        }
        if (!this.isClosed) {
            this.screen = this.make(module);
            put(this.element, this.screen.element);
            await this.screen.open?.();
        }
    }

    close() {
        this.isClosed = true;
        this.screen?.close();
    }
}
