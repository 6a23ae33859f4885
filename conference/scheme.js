// The visitor's own colour scheme, before the first paint. Blocking on purpose, so keep it this short.
try {
  const scheme = localStorage.getItem("scheme");
  if (scheme === "light" || scheme === "dark") document.documentElement.dataset.scheme = scheme;
} catch { /* storage is closed: the system's scheme stays */ }
