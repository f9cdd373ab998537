/*
 * The rules of ESLint; tests/tidy/run calls it from the root. Formatting is left to Prettier.
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
    /* Functions in these files run in Node or, passed to Chromium, in the page. */
    { files: ["tests/**"], languageOptions: { globals: { ...globals.node, ...globals.browser } } },
];
