/*
 * What ESLint looks for; tests/tidy/run calls it from the root.  Prettier formats, so nothing here is about form.
 */
import js from "@eslint/js";
import globals from "globals";

const strict = {
    curly: "error",
    eqeqeq: "error",
    "no-implicit-globals": "error",
    "no-shadow": "error",
    "no-throw-literal": "error",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
    "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
    "no-var": "error",
    "object-shorthand": "error",
    "prefer-const": "error",
};

export default [
    js.configs.recommended,
    { languageOptions: { ecmaVersion: 2022, sourceType: "module" }, rules: strict },
    { files: ["server/web/**"], languageOptions: { globals: globals.browser } },
    { files: ["proto/js/**"], languageOptions: { globals: globals["shared-node-browser"] } },
    /* Functions of these run in Node or, handed to Chromium, in the page. */
    { files: ["tests/**"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];
