/*
 * Makes the page installable, and usable as far as possible without the server: see worker.js.
 *
 * The content security policy allows one source of script addresses, this one.
 */
export async function install() {
    if (navigator.serviceWorker === undefined) {
        return; /* no secure address, or a browser without it */
    }
    const path = new URL("worker.js", import.meta.url).href;
    const policy = globalThis.trustedTypes?.createPolicy("worker", { createScriptURL: () => path });
    try {
        await navigator.serviceWorker.register(policy?.createScriptURL("") ?? path, {
            scope: new URL(".", document.baseURI).pathname,
        });
    } catch {
        /* the page works without */
    }
}
