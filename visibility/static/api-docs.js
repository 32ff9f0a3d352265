const root = document.getElementById("swagger-ui");
const dark = matchMedia("(prefers-color-scheme: dark)");

// Swagger UI has a dark theme of its own, which this class of the page switches on.
const followTheme = () => document.documentElement.classList.toggle("dark-mode", dark.matches);

// What Swagger UI leaves without a name: the menus of media types and examples.
const nameMenus = () => root.querySelectorAll("select:not([aria-label])").forEach((menu) => {
  menu.setAttribute("aria-label", menu.className.includes("example") ? "Example" : "Choice");
});

followTheme();
dark.addEventListener("change", followTheme);
new MutationObserver(nameMenus).observe(root, { childList: true, subtree: true });

SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#swagger-ui",
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  deepLinking: false,
  syntaxHighlight: false,
  defaultModelsExpandDepth: -1,
});
