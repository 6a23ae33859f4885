// Reading offline is switched off: forget what was kept, and go. Open pages stay as they are.

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => {
  const forget = async () => {
    try {
      await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
    } finally {
      await self.registration.unregister();
    }
  };
  event.waitUntil(forget());
});
