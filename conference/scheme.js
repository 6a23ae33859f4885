// The visitor's own colour scheme and language, before the first paint. Blocking on purpose, so keep it this short.
try {
  const scheme = localStorage.getItem("scheme");
  if (scheme === "light" || scheme === "dark") document.documentElement.dataset.scheme = scheme;
} catch { /* storage is closed: the system's scheme stays */ }

// Whoever comes from elsewhere reads the page in their language, if it has one; inside the site their choice stands,
// and in a frame that of the site around it.
const entry = performance.getEntriesByType("navigation")[0]?.type ?? "navigate";
if (entry === "navigate" && parent === window && !document.referrer.startsWith(`${location.origin}/`)) {
  const pages = new Map([...document.querySelectorAll("link[hreflang]")].map((link) => [link.hreflang, link.href]));
  let wanted = navigator.languages;
  try { wanted = [localStorage.getItem("language"), ...wanted]; } catch { /* storage is closed */ }
  const found = wanted.filter(Boolean).map((tag) => tag.split("-")[0]).find((code) => pages.has(code));
  if (found && found !== document.documentElement.lang) location.replace(pages.get(found) + location.hash);
}
