/** What puts text into a page as something other than text; each with why it is refused. */
const UNSAFE = {
  "AssignmentExpression > MemberExpression.left[property.name=/^(innerHTML|outerHTML|srcdoc)$/]": "use textContent",
  "AssignmentExpression > MemberExpression.left[property.value=/^(innerHTML|outerHTML|srcdoc)$/]": "use textContent",
  "CallExpression > MemberExpression.callee[property.name=/^(insertAdjacentHTML|createContextualFragment|setHTMLUnsafe|parseHTMLUnsafe|parseFromString)$/]":
    "build elements",
  "CallExpression > MemberExpression.callee[object.name='document'][property.name=/^(write|writeln)$/]":
    "build elements",
  "CallExpression[callee.property.name='setAttribute'][arguments.0.value=/^on|^srcdoc$/]": "listen to events",
  "NewExpression[callee.name='Function']": "text is never run",
};

export default {
  rules: {
    "no-eval": "error",
    "no-implied-eval": "error",
    "no-script-url": "error",
    "no-restricted-syntax": [
      "error",
      ...Object.entries(UNSAFE).map(([selector, why]) => ({
        selector,
        message: `Somebody's name must never become a part of the page: ${why}.`,
      })),
    ],
  },
};
